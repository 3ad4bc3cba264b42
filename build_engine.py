"""How the package is built: with its engine compiled where that can be done, else as the plain files it is made of.

This is the build backend in pyproject.toml: mypyc for the modules of `ENGINE`, then setuptools. It is all or nothing:
if anything is missing or fails, the plain files are installed, and only the speed is different. QUADRILLE_PURE=1 in
the environment forces that. An editable install is never compiled, because it would keep using the modules compiled
before an edit.

    python build_engine.py [FOLDER]     make the wheel for this platform and the plain one (needs pip; FOLDER: dist)
"""

import glob
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
)

# There is no prepare_metadata_for_build_wheel: what the package needs at run time depends on whether it was compiled.
__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
]

ROOT = Path(__file__).resolve().parent
#: The compiled modules of the folder `rules`, including new ones in the folders of boards and of the engine.
ENGINE = (
    "arrays.py", "board.py", "dice.py", "patterns/keys.py", "patterns/sums.py", "patterns/image_keys.py",
    "patterns/provable.py", "observations/*.py", "boards/*.py", "boards/*/*.py", "engine/*.py",
)  # fmt: skip
#: The one extension that holds it all; the others only point to it.
GROUP = "quadrille_engine"
#: The first version of the compiler with packed arrays of integers, and their requirements at run time.
COMPILER = "mypy[mypyc]>=2.4"
RUN_TIME = ["librt>=0.16", "mypy_extensions>=1"]


def unwanted() -> str:
    """Why the engine can't or should not be compiled here; "" if it should."""
    if os.environ.get("QUADRILLE_PURE", "0") not in ("", "0"):
        return "QUADRILLE_PURE is set"
    if sys.implementation.name != "cpython":
        return f"{sys.implementation.name} compiles by itself"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nint probe(void) { return PY_MAJOR_VERSION; }\n")
        if sys.platform == "win32":
            return ""  # setuptools alone knows where its compiler is: it is tried
        compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
        command = [*compiler, "-c", str(source), "-o", str(Path(folder, "probe.o")), "-fPIC"]
        try:
            include = "-I" + sysconfig.get_path("include")
            done = subprocess.run([*command, include], capture_output=True, check=False)  # noqa: S603
        except OSError as error:
            return f"there is no C compiler: {error}"
        return f"{' '.join(compiler)} does not compile against Python.h" if done.returncode else ""


def get_requires_for_build_wheel(config_settings: dict[str, str] | None = None) -> list[str]:
    """The compiler, if it can be used."""
    return [] if unwanted() else [COMPILER]


def compiled(scratch: Path) -> list[Path]:
    """Compile the engine in a scratch folder; return the paths of its extensions. On failure print why."""
    why = unwanted()
    if not why:
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
        shutil.copytree(ROOT / "rules", scratch / "quadrille/rules", ignore=ignored)
        environment = {**os.environ, "MYPYPATH": str(scratch)}
        command = [sys.executable, str(ROOT / "build_engine.py"), "--compile"]
        log = scratch / "log"
        with log.open("wb") as told:
            done = subprocess.run(command, cwd=scratch, env=environment, stdout=told, stderr=told, check=False)  # noqa: S603
        found = [path for ending in ("*.so", "*.pyd") for path in scratch.rglob(ending) if "build" not in path.parts]
        if done.returncode == 0 and len(found) == len(modules(scratch)) + 1:
            return found
        lines = log.read_text("utf-8", "replace").splitlines()
        why = next((line for line in lines if "rror" in line), lines[-1] if lines else "nothing was said")
    print(f"quadrille: the engine is installed as plain Python, not compiled: {why}", file=sys.stderr)
    return []


def modules(scratch: Path) -> list[str]:
    """The files to compile, as paths in the scratch folder: mypyc names a module by its path."""
    found = (path for part in ENGINE for path in sorted(glob.glob(f"quadrille/rules/{part}", root_dir=scratch)))
    return [path for path in found if not path.endswith("__init__.py")]


def compile_here() -> None:
    """Compile the modules in this folder, in place."""
    from mypyc.build import mypycify

    files = ["--config-file=", "--explicit-package-bases", "--namespace-packages", *modules(Path())]
    extensions = mypycify(files, opt_level="3", group_name=GROUP)
    for extension in extensions:
        if sys.platform != "win32":
            # A warning of a compiler to come is no reason to go without; and calls within the engine stay within it.
            flags = [flag for flag in extension.extra_compile_args if flag != "-Werror"]
            extension.extra_compile_args = [*flags, "-fno-semantic-interposition", "-fvisibility=hidden"]
    setup(name=GROUP, ext_modules=extensions, script_args=["build_ext", "--inplace"])


def extension_name(path: Path) -> str:
    """The module of a compiled file."""
    return ".".join([*path.parts[:-1], path.name.partition(".")[0]])


def extensions(found: list[Path], scratch: Path) -> list[Extension]:
    """What setuptools is told of the compiled files, so that it calls the wheel one for this platform."""
    return [Extension(extension_name(path.relative_to(scratch)), sources=[]) for path in found]


def wheels(folder: str) -> None:
    """Make both wheels: pip takes the compiled one where it fits, and the plain one everywhere else."""
    for pure in ("0", "1"):
        command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, str(ROOT)]
        subprocess.run(command, env={**os.environ, "QUADRILLE_PURE": pure}, check=True)  # noqa: S603
    print(*sorted(os.listdir(folder)), sep="\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--compile"]:
        compile_here()
    else:
        wheels(sys.argv[1] if len(sys.argv) > 1 else "dist")
