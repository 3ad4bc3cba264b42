"""How the package is built: as the plain files it is made of, or with its engine compiled where somebody asks for that.

This is the build backend in pyproject.toml: setuptools, and before it mypyc for the modules of `ENGINE` if the setting
`compile` is on. What was asked for is done or refused; only the speed is different. An editable install is never
compiled, because it would keep using the modules compiled before an edit.

    pip install . --config-settings compile=yes     compile: about a minute on two cores, and bots are 30 times faster
    python build_engine.py [FOLDER]                 make the wheel for this platform and the plain one (FOLDER: dist)
"""

import glob
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools import build_meta as usual
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
)
from setuptools.command.build_ext import build_ext

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
#: The compiled modules, including new ones in the folders of boards and of engines, also of extras: what a playout or
#: a proof needs.
ENGINE = (
    "rules/arrays.py", "rules/board.py", "rules/dice.py", "rules/patterns/keys.py",
    "rules/patterns/image_keys.py", "rules/games/*/board.py", "rules/games/*/search.py",
    "rules/games/coin_isolation/paths.py", "rules/games/dotter/hands.py",
    "rules/engine/*.py", "extras/*/boards/*.py", "extras/*/engine/*.py",
)  # fmt: skip
#: Files in which no playout, proof or batch spends its time, by parts of their names in the build folder. -O1 takes gcc
#: half as long as -O2; boards of a batch would be a quarter slower with it. No playout is faster with -O3.
COLD = ("build/quadrille/", "___hands.", "___paths.", "___learner.", "___layout.")
#: The one extension that holds it all; the others only point to it.
GROUP = "quadrille_engine"
#: The first version of the compiler with packed arrays of integers, and their requirements at run time.
COMPILER = "mypy[mypyc]>=2.4"
RUN_TIME = ["librt>=0.16", "mypy_extensions>=1"]


#: The setting of a build, and its values. setup.py reads it from the environment, where `build_wheel` puts it.
SETTING, CHOICES = "compile", {"yes": True, "no": False}
VARIABLE = "QUADRILLE_BUILD_COMPILE"

Settings = dict[str, Any] | None


def wanted(settings: Settings) -> bool:
    """Return whether the engine is to be compiled."""
    value = (settings or {}).get(SETTING, "no")
    if value not in CHOICES:
        raise SystemExit(f"quadrille: {SETTING} takes yes or no, not {value!r}")
    return CHOICES[value]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Require the compiler, if it is to be used."""
    return [COMPILER] if wanted(config_settings) else []


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Let setuptools build what is wanted."""
    os.environ[VARIABLE] = "yes" if wanted(config_settings) else "no"
    return usual.build_wheel(wheel_directory, config_settings, metadata_directory)


def compiled(scratch: Path) -> list[Path]:
    """Compile the engine in a scratch folder, if that is wanted, and return the paths of its extensions."""
    if os.environ.get(VARIABLE) != "yes":
        return []
    leave = shutil.ignore_patterns("__pycache__", "tests")
    shutil.copytree(ROOT / "package", scratch / "quadrille", ignore=leave)
    for folder in ("rules", "net", "ai", "extras"):
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, scratch / "quadrille" / folder, ignore=leave)
    environment = {**os.environ, "MYPYPATH": str(scratch)}
    print("quadrille: compiling the engine, which takes about a minute on two cores ...", flush=True)
    command = [sys.executable, str(ROOT / "build_engine.py"), "--compile"]
    done = subprocess.run(command, cwd=scratch, env=environment, check=False)  # noqa: S603
    found = [path for ending in ("*.so", "*.pyd") for path in scratch.rglob(ending) if "build" not in path.parts]
    if done.returncode or len(found) != len(modules(scratch)) + 1:
        raise SystemExit(
            "quadrille: the engine can't be compiled here, for the reason above. It takes a C compiler and Python's "
            "headers (Debian: apt install gcc python3-dev; Windows: the Build Tools of Visual Studio). Without them "
            "install it plain: pip install ."
        )
    return found


def modules(scratch: Path) -> list[str]:
    """List the files to compile, as paths in the scratch folder: mypyc names a module by its path."""
    found = (path for part in ENGINE for path in sorted(glob.glob(f"quadrille/{part}", root_dir=scratch)))
    return [path for path in found if not path.endswith("__init__.py")]


class OnAllCores(build_ext):
    """Compiles the files of an extension in one call for each core; setuptools takes a call for each file.

    The extensions that only point to the group have one small file each, which takes gcc no longer than its headers. So
    several share an object that holds the entries of all.
    """

    def build_extensions(self) -> None:
        """Compile in parallel, in place of `build_ext`."""
        one_by_one, shared = self.compiler.compile, dict[str, list[str]]()
        pointers = [extension.sources[0] for extension in self.extensions if len(extension.sources) == 1]
        if not getattr(self.compiler, "initialized", True):  # that of Windows would do it at its first file
            self.compiler.initialize()

        def side_by_side(sources: list[str], **settings: Any) -> list[str]:
            def compile_unit(files: list[str]) -> list[str]:
                cold = sys.platform != "win32" and is_cold(files[0])
                args = [*settings["extra_postargs"], *["-O1"] * cold]
                found: list[str] = one_by_one([joined(files)], **settings | {"extra_postargs": args})
                return found

            if sources[0] in pointers and sys.platform != "win32":
                [crew] = (crew for crew in crews(pointers) if sources[0] in crew)
                shared[crew[0]] = shared.get(crew[0]) or compile_unit(crew)
                return shared[crew[0]]
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return [path for part in pool.map(compile_unit, units(sources)) for path in part]

        self.compiler.compile = side_by_side
        super().build_extensions()


def is_cold(file: str) -> bool:
    return any(part in file for part in COLD)


def units(sources: list[str]) -> list[list[str]]:
    """Deal the files out to the cores, the largest first, and the cold ones together: gcc reads each header once a
    call, which takes a sixth less.
    """
    files = sorted(sources, key=os.path.getsize, reverse=True)
    if sys.platform == "win32":
        return [[file] for file in files]
    cold = [file for file in files if is_cold(file)]
    hot = [file for file in files if not is_cold(file)]
    cores = os.cpu_count() or 1
    return [unit for unit in (*(hot[core::cores] for core in range(cores)), cold) if unit]


def crews(files: list[str]) -> list[list[str]]:
    """Deal out files so that each crew has a name once: a module's entry is called by the last part of its name."""
    found: list[list[str]] = []
    for file in files:
        crew = next((crew for crew in found if Path(file).name not in {Path(other).name for other in crew}), None)
        if crew is None:
            found.append(crew := [])
        crew.append(file)
    return found


def joined(files: list[str]) -> str:
    """Return a file that includes these, beside the first; each may have an entry of its own that nobody calls."""
    if len(files) == 1:
        return files[0]
    unit = Path(files[0]).with_name(f"unit_{Path(files[0]).name}")
    entry, lines = "PyInit___init__", []
    for number, file in enumerate(files):
        lines += [
            f"#define {entry} {entry}{number}",
            f'#include "{Path(file).resolve().as_posix()}"',
            f"#undef {entry}",
        ]
    unit.write_text("\n".join([*lines, ""]), "utf-8")
    return str(unit)


def compile_here() -> None:
    """Compile the modules in this folder, in place."""
    from mypyc.build import mypycify

    # of what is not compiled here, the types of other packages may be unknown
    words = ["--config-file=", "--explicit-package-bases", "--namespace-packages", "--ignore-missing-imports"]
    files = [*words, *modules(Path())]
    extensions = mypycify(files, opt_level="2", debug_level="0", multi_file=True, group_name=GROUP)
    for extension in extensions:
        if sys.platform != "win32":
            # A warning of a compiler to come is no reason to go without, and gcc's search for misleading indentation
            # takes longer than its work. Calls within the engine stay within it.
            flags = [flag for flag in extension.extra_compile_args if flag != "-Werror"]
            hidden = ["-fno-semantic-interposition", "-fvisibility=hidden", "-Wno-misleading-indentation"]
            extension.extra_compile_args = [*flags, *hidden]
    in_place = ["build_ext", "--inplace"]
    setup(name=GROUP, ext_modules=extensions, script_args=in_place, cmdclass={"build_ext": OnAllCores})


def extension_name(path: Path) -> str:
    """Return the module of a compiled file."""
    return ".".join([*path.parts[:-1], path.name.partition(".")[0]])


def extensions(found: list[Path], scratch: Path) -> list[Extension]:
    """Describe the compiled files to setuptools, so that it calls the wheel one for this platform."""
    return [Extension(extension_name(path.relative_to(scratch)), sources=[]) for path in found]


def wheels(folder: str) -> None:
    """Make both wheels: pip takes the compiled one where it fits, and the plain one everywhere else."""
    for choice in CHOICES:
        command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, str(ROOT)]
        subprocess.run([*command, "--config-settings", f"{SETTING}={choice}"], check=True)  # noqa: S603
    print(*sorted(os.listdir(folder)), sep="\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--compile"]:
        compile_here()
    else:
        wheels(sys.argv[1] if len(sys.argv) > 1 else "dist")
