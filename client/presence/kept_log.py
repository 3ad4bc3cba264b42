"""The logs of tables as files: what a stage asks its shell to keep."""

from quadrille.client.files import FileExists, path_of, write_text
from quadrille.client.table.network.stage import KeepLog, NetworkStage
from quadrille.client.table.wishes import Kept
from quadrille.net import archive
from quadrille.rules.errors import RulesError


class KeptLogs:
    """The files of a person, each of which may be written over by the log of the same table."""

    __slots__ = ("_files",)

    def __init__(self) -> None:
        self._files: dict[bytes, str] = {}

    def perform(self, stage: NetworkStage, effect: KeepLog) -> None:
        """Write the log, and tell the stage where it is."""
        stage.attempt(lambda: self._keep(stage, effect))

    def _keep(self, stage: NetworkStage, effect: KeepLog) -> None:
        name, own = effect.name, self._files.get(effect.log.table)
        over = effect.over or (own is not None and path_of(name) == path_of(own))
        try:
            path = write_text(name, archive.write(effect.log), over=over)
        except FileExists as error:
            raise RulesError(f"{error}: save! {name} writes over it") from None
        self._files[effect.log.table] = name
        stage.granted(Kept(name, str(path), ()))
