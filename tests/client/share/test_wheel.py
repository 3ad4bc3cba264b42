"""A wheel made again has what its RECORD lists and no more, and is the same bytes wherever it is made."""

import csv
import io
import subprocess
import sys
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest

from quadrille.client.example_files import example_paths
from quadrille.client.share.parcel import ENGINE_NEEDS, PLAIN_WITHOUT
from quadrille.client.share.wheel import ANY, Contents, contents, packed
from quadrille.net.core.errors import LocalError
from tests.client.share.installed import FILES, METADATA, digest, install

ROOT = Path(__file__).parents[3]
OWN = next(one for one in distributions(name="quadrille-games") if one.read_text("RECORD"))


def opened(inside: Contents) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(packed(inside).data))


def test_what_belongs_to_one_machine_is_left_out_and_the_rest_is_listed_with_its_hash(tmp_path: Path) -> None:
    wheel = packed(contents(install(tmp_path, FILES)))
    assert wheel.file == "a_thing-1.5-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
    assert wheel.name == "a-thing"
    with zipfile.ZipFile(io.BytesIO(wheel.data)) as archive:
        names = archive.namelist()
        assert names == [
            "a_thing.libs/libthing.so.1.2",
            "a_thing/__init__.py",
            "a_thing/data/page.html",
            "a_thing/fast.cpython-311-x86_64-linux-gnu.so",
            "a_thing-1.5.dist-info/METADATA",
            "a_thing-1.5.dist-info/WHEEL",
            "a_thing-1.5.dist-info/entry_points.txt",
            "a_thing-1.5.dist-info/RECORD",
        ]
        rows = list(csv.reader(archive.read(names[-1]).decode().splitlines()))
        listed = [[name, digest(archive.read(name)), str(archive.getinfo(name).file_size)] for name in names[:-1]]
        assert rows == [*listed, [names[-1], "", ""]]
        assert b"Root-Is-Purelib: false\nTag: cp311-cp311-manylinux2014_x86_64\n" in archive.read(names[5])


def test_the_same_files_make_the_same_bytes_whoever_installed_them_when_and_in_which_order(tmp_path: Path) -> None:
    other = dict(reversed(FILES.items())) | {"a_thing-1.5.dist-info/INSTALLER": b"another\n"}
    del other["a_thing-1.5.dist-info/REQUESTED"]
    assert packed(contents(install(tmp_path / "a", FILES))) == packed(contents(install(tmp_path / "b", other)))


def test_without_its_compiled_files_it_fits_every_machine(tmp_path: Path) -> None:
    plain = contents(install(tmp_path, FILES)).without_compiled(ENGINE_NEEDS)
    assert packed(plain).file == "a_thing-1.5-py3-none-any.whl"
    with opened(plain) as archive:
        assert not [name for name in archive.namelist() if ".so" in name]
        assert archive.read("a_thing-1.5.dist-info/METADATA") == METADATA.replace(b"Requires-Dist: librt>=0.16\n", b"")
        assert f"Root-Is-Purelib: true\nTag: {ANY}\n".encode() in archive.read("a_thing-1.5.dist-info/WHEEL")


def test_a_file_that_was_changed_or_is_gone_is_named(tmp_path: Path) -> None:
    found = install(tmp_path, FILES)
    packages = tmp_path / "lib/python3/site-packages"
    (packages / "a_thing/__init__.py").write_bytes(b"VALUE = 6\n")
    with pytest.raises(LocalError, match=r"a_thing/__init__.py of a-thing is not as it was installed"):
        contents(found)
    (packages / "a_thing/__init__.py").unlink()
    with pytest.raises(LocalError, match=r"a_thing/__init__.py of a-thing can't be read"):
        contents(found)


def test_what_has_no_list_of_its_files_is_refused(tmp_path: Path) -> None:
    found = install(tmp_path, FILES)
    (tmp_path / "lib/python3/site-packages/a_thing-1.5.dist-info/RECORD").unlink()
    with pytest.raises(LocalError, match="without a list of its files"):
        contents(found)


def test_data_keep_their_place_and_a_script_that_is_no_command_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    manual = {"../../../share/man/man1/a-thing.1": b".TH\n"}
    assert "a_thing-1.5.data/data/share/man/man1/a-thing.1" in contents(install(tmp_path, FILES | manual)).files
    for path in ("../../../bin/another", "../../../include/thing.h", "../../../../outside"):
        with pytest.raises(LocalError, match="no wheel is made of that"):
            contents(install(tmp_path, FILES | {path: b""}))


def test_tags_that_one_name_can_not_say_come_to_the_first_of_them() -> None:
    inside = {"a-1.dist-info/METADATA": b""}
    assert packed(Contents("a-1", inside, ("py2-none-any", "py3-none-any"))).file == "a-1-py2.py3-none-any.whl"
    apart = ("cp311-cp311-linux_x86_64", "cp312-abi3-linux_x86_64")
    assert packed(Contents("a-1", inside, apart)).file == "a-1-cp311-cp311-linux_x86_64.whl"


@pytest.mark.slow
def test_pip_installs_it(tmp_path: Path) -> None:
    wheel = packed(contents(install(tmp_path, FILES)).without_compiled())
    path = tmp_path / wheel.file
    path.write_bytes(wheel.data)
    where = tmp_path / "there"
    pip = (sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "-q", "--no-index")
    subprocess.run([*pip, "--no-deps", "--no-compile", "--target", where, path], check=True)
    assert (where / "a_thing/__init__.py").read_bytes() == FILES["a_thing/__init__.py"]
    assert (where / "bin/a-thing").exists()


def test_quadrille_itself_is_whole() -> None:
    """Every module and every file beside one that the program reads; an editable install is made of the clone."""
    files = contents(OWN).files
    examples = {f"quadrille/client/examples/{name}" for name in example_paths(ROOT / "examples")}
    assert examples == {path for path in files if path.startswith("quadrille/client/examples/")}
    modules = {
        f"quadrille/{path.relative_to(ROOT).as_posix().removeprefix('package/')}"
        for floor in ("package", "rules", "net", "ai", "client")
        for path in (ROOT / floor).rglob("*.py")
    }
    assert modules == {path for path in files.keys() - examples if path.endswith(".py")}
    assert {"quadrille/rules/pages/maze.md", "quadrille/client/phones/page/phone.js"} <= files.keys()
    assert (
        b"quadrille = quadrille.client.cli:main" in files[f"quadrille_games-{OWN.version}.dist-info/entry_points.txt"]
    )
    assert not [path for path in files if "__editable__" in path or path.endswith((".pyc", "direct_url.json"))]


def test_what_is_said_to_work_without_its_compiled_files_does(tmp_path: Path) -> None:
    wheels = []
    for name in sorted(PLAIN_WITHOUT):
        inside = contents(next(iter(distributions(name=name))))
        wheel = packed(inside.without_compiled())
        (tmp_path / wheel.file).write_bytes(wheel.data)
        wheels.append(str(tmp_path / wheel.file))
    asks = """if True:
        import sys; sys.path[:0] = sys.argv[1:]
        import msgpack, wcwidth, websockets.asyncio.server, websockets.frames
        assert msgpack.unpackb(msgpack.packb({"a": [1, b"2"]})) == {"a": [1, b"2"]}
        assert wcwidth.wcswidth("a\\u4e00") == 3
        assert websockets.frames.apply_mask(b"abcd", b"\\1\\1\\1\\1") == b"`cbe"
        for module in msgpack, wcwidth, websockets: assert ".whl" in module.__file__, module
    """
    subprocess.run([sys.executable, "-c", asks, *wheels], check=True)
