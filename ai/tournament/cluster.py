"""Workers of a Dask cluster (extra `cluster`): whole games are played there, as on this machine.

The cluster is somebody else's: it is asked what it has, and left as it is. What a worker needs is this very version of
this program, and the bots' files at the same place as here, which is checked: every bot is tried there before the first
game, and its files are compared each time it is started.
"""

import ipaddress
import logging
import platform
import re
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from quadrille.ai.adapters import missing
from quadrille.ai.tournament import TournamentError
from quadrille.rules.core import RULES_VERSION

#: How long a cluster may take to answer, and to have a worker, in seconds.
PATIENCE: Final = 10
_ADDRESS: Final = re.compile(r"dask(\+tls|\+tcp)?://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):([0-9]{1,5})")


class Cluster:
    """The workers of the cluster at an address such as dask://10.0.0.5:8786."""

    def __init__(self, address: str, slots: int = 0, tls: str = "") -> None:
        """Without `slots` there are as many as the cluster has threads. `tls` names a PEM file with the certificate of
        the cluster's authority, one of our own, and its key; without it they are those that Dask is configured with.
        """
        self._address = scheduler(address, tls=bool(tls))
        if tls:
            _check_pem(tls)
        self._tls = tls
        self._client: Any = None
        found = self._connect()
        self.slots = slots or max(1, sum(found.nthreads().values()))

    def _connect(self) -> Any:
        """A client of the cluster, which has a worker and our versions."""
        try:
            distributed: Any = import_module("distributed")
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] not in ("distributed", "dask"):
                raise
            raise missing("distributed", "cluster") from None
        for name in ("distributed", "distributed.client", "distributed.batched", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told by the run
        security = self._security(distributed)
        try:
            client = distributed.Client(self._address, timeout=PATIENCE, set_as_default=False, security=security)
        except (OSError, ValueError, TypeError, RuntimeError) as error:  # whatever it is, it is the cluster's
            raise TournamentError(
                f"the cluster at {self._address} does not answer: {error}. What has been played is kept"
            ) from None
        self._client = client
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
            theirs = client.run(versions)
        except TimeoutError:
            raise self._refuse("has no worker") from None
        except ModuleNotFoundError:
            raise self._refuse("has workers without quadrille: install it there") from None
        for worker, found in sorted(theirs.items()):
            if found != versions():
                raise self._refuse(f"has {found} at {worker}, and here is {versions()}: they have to be the same")
        return client

    def _security(self, distributed: Any) -> Any:
        """The certificates, if the way is encrypted."""
        if not self._address.startswith("tls:"):
            return None
        files = {"tls_ca_file": self._tls, "tls_client_cert": self._tls, "tls_client_key": self._tls}
        security = distributed.Security(**(files if self._tls else {}), require_encryption=True)
        try:
            there = security.get_connection_args("client")["ssl_context"] is not None
        except OSError as error:
            raise TournamentError(f"the certificates for {self._address} can't be used: {error}") from None
        if not there:
            raise TournamentError(
                f"the way to {self._address} is encrypted, and Dask knows no certificates: name them by --tls FILE.pem,"
                " or write dask+tcp:// where nobody else is on the network"
            )
        return security

    def _refuse(self, why: str) -> TournamentError:
        self.close()
        return TournamentError(f"the cluster at {self._address} {why}")

    def open(self) -> Executor:
        """An executor; a connection that was lost is made again."""
        if self._client is None or self._client.status != "running":
            self.close()
            self._connect()
        return Connected(self._client)

    def close(self, *, at_once: bool = True) -> None:
        """Leave it. Games that are being played there end by themselves, and nobody hears of them."""
        if self._client is not None:
            self._client.close(timeout=1)
            self._client = None


class Connected(Executor):
    """The client as an executor. Dask's own leaves a future open for ever when the way breaks as a result comes in."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, work: Callable[..., Any], /, *words: Any, **named: Any) -> "Future[Any]":
        """Have something done. It can't be taken back: whether somebody has begun is not known here."""
        if self._client.status not in ("running", "connecting"):
            raise BrokenExecutor(f"the connection is {self._client.status}")
        told: Future[Any] = Future()
        told.set_running_or_notify_cancel()
        self._client.submit(work, *words, **named, pure=False).add_done_callback(lambda done: _tell(done, told))
        return told


def _tell(done: Any, told: "Future[Any]") -> None:
    """In a thread of the client: what has come of something."""
    try:
        if (error := done.exception()) is None:
            told.set_result(done.result())
        else:
            told.set_exception(error)
    except BaseException as error:  # noqa: BLE001 - it is handed on: whoever waits must not wait for ever
        told.set_exception(error)


def _check_pem(path: str) -> None:
    """Refuse a file without what has to be in it; what it is worth the cluster says."""
    try:
        text = Path(path).read_text("utf-8", "replace")
    except OSError as error:
        raise TournamentError(f"{path}: {error.strerror or error}") from None
    if text.count("BEGIN CERTIFICATE") < 2 or "PRIVATE KEY" not in text:
        raise TournamentError(
            f"{path} needs three things in PEM: the certificate of the cluster's authority, one of yours, and its key"
        )


def scheduler(address: str, *, tls: bool = False) -> str:
    """The address of a scheduler as Dask has it: encrypted, if it is not on this machine or said to be plain, or with
    certificates at hand (`tls`).
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise TournamentError(f"{address!r} is no cluster: write dask://HOST:PORT")
    way, host, port = found.groups()
    if way == "+tcp" and tls:
        raise TournamentError(f"{address} is to be plain: leave --tls away, or write dask://")
    plain = way == "+tcp" or (way is None and _is_here(host) and not tls)
    return f"{'tcp' if plain else 'tls'}://{host}:{port}"


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def versions() -> str:
    """What has to be the same on all machines of a tournament."""
    return f"Python {platform.python_version()}, quadrille {version('quadrille')}, rules {RULES_VERSION}"
