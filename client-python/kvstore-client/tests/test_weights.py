"""Digests of weights: equal for copies, others for any other byte; kept, and believed if nobody else wrote them."""

from __future__ import annotations

import hashlib
import os
import pathlib
import threading
from typing import Any

import pytest

from kvstore_client import digests, weights
from kvstore_client.weights import Source, UnknownWeights, of_folder

LONG_AGO = 1_600_000_000


@pytest.fixture(autouse=True)
def cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A cache of digests that no other test has."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(digests, "_YOUNG_NS", 0)
    return tmp_path / "cache" / "kvstore" / "digests"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were read whole."""
    names: list[str] = []
    inner = digests._sha256

    def noting(path: str) -> str:
        names.append(os.path.basename(path))
        return inner(path)

    monkeypatch.setattr(digests, "_sha256", noting)
    return names


def made(folder: pathlib.Path, **files: bytes) -> pathlib.Path:
    """A folder with files: an underscore of a name stands for the dot."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content)
    return folder


@pytest.mark.parametrize("at", [0, 1, 4096, 49_999, 52_048, 99_999])
def test_any_byte_counts(tmp_path: pathlib.Path, at: int) -> None:
    whole = bytearray(100_000)
    one = of_folder(made(tmp_path / "a", model_safetensors=bytes(whole)))
    whole[at] ^= 1
    assert of_folder(made(tmp_path / "b", model_safetensors=bytes(whole))) != one


def test_copies_are_equal_wherever_they_lie(tmp_path: pathlib.Path) -> None:
    one = of_folder(made(tmp_path / "a", m1_safetensors=b"1", m2_safetensors=b"2", tokenizer_json=b"{}"))
    assert of_folder(made(tmp_path / "b", other_safetensors=b"2", m1_safetensors=b"1")) == one
    assert of_folder(made(tmp_path / "c", m1_safetensors=b"1")) != one
    assert of_folder(made(tmp_path / "d", m1_safetensors=b"1", m2_safetensors=b"1")) != one


def test_files_that_choose_or_scale_weights_count(tmp_path: pathlib.Path) -> None:
    found = {of_folder(made(tmp_path / "a", model_safetensors=b"1"))}
    for i, name in enumerate(("model.safetensors.index.json", "hf_quant_config.json", "quantize_config.json")):
        folder = made(tmp_path / str(i), model_safetensors=b"1")
        (folder / name).write_text("{}", encoding="utf-8")
        found.add(of_folder(folder))
    assert len(found) == 4


def test_other_formats_count_where_there_are_no_safetensors_or_all_are_asked_for(tmp_path: pathlib.Path) -> None:
    folder = made(tmp_path / "a", m_bin=b"1")
    alone = of_folder(folder)
    (folder / "m.safetensors").write_bytes(b"2")
    both = of_folder(folder, every=True)
    assert len({alone, both, of_folder(folder)}) == 3
    (folder / "m.bin").write_bytes(b"3")
    assert of_folder(folder, every=True) != both
    assert of_folder(folder / "m.bin") == of_folder(made(tmp_path / "b", x_pt=b"3"))
    assert of_folder(made(tmp_path / "c", config_json=b"{}")) == ""


def test_a_digest_is_kept_and_files_are_read_once(tmp_path: pathlib.Path, cache: pathlib.Path, read: list[str]) -> None:
    folder = made(tmp_path / "a", m_safetensors=b"1")
    one = of_folder(folder)
    assert of_folder(folder) == one and read == ["m.safetensors"]
    (folder / "m.safetensors").write_bytes(b"2")
    assert of_folder(folder) != one and len(read) == 2
    (folder / "m.safetensors").write_bytes(b"1")
    os.utime(folder / "m.safetensors", (LONG_AGO, LONG_AGO))
    assert of_folder(folder) == one and len(read) == 3
    assert all((file.stat().st_mode & 0o777) == 0o600 for file in cache.iterdir())
    assert not [file for file in cache.iterdir() if "part" in file.name]


def test_a_file_that_just_changed_is_not_kept(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, read: list[str]
) -> None:
    """Another change within the same tick of the file system's clock would leave no trace."""
    monkeypatch.setattr(digests, "_YOUNG_NS", 3_600 * 10**9)
    folder = made(tmp_path / "a", m_safetensors=b"1")
    assert of_folder(folder) == of_folder(folder)
    assert len(read) == 2


def of_another_user(file: pathlib.Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("missing: root, who may give files to others")
    os.chown(file, 12345, 12345)


def writable(file: pathlib.Path) -> None:
    file.chmod(0o666)


def link(file: pathlib.Path) -> None:
    file.rename(file.with_suffix(".moved"))
    file.symlink_to(file.with_suffix(".moved"))


def of_another_file(file: pathlib.Path) -> None:
    file.write_text(file.read_text(encoding="ascii").replace("m.safetensors", "n.safetensors"), encoding="ascii")


def garbage(file: pathlib.Path) -> None:
    file.write_bytes(b"\xff{")


def short(file: pathlib.Path) -> None:
    file.write_text(file.read_text(encoding="ascii")[:-10], encoding="ascii")


@pytest.mark.parametrize("harm", [of_another_user, writable, link, of_another_file, garbage, short])
def test_a_kept_digest_that_another_could_have_written_is_not_believed(
    tmp_path: pathlib.Path, cache: pathlib.Path, read: list[str], harm: Any
) -> None:
    folder = made(tmp_path / "a", m_safetensors=b"1")
    one = of_folder(folder)
    (kept,) = cache.glob("*.sha256")
    kept.write_text(kept.read_text(encoding="ascii").replace(hashlib.sha256(b"1").hexdigest(), "0" * 64), "ascii")
    assert of_folder(folder) != one  # a file of the user's own is believed
    harm(kept)
    assert of_folder(folder) == one
    assert len(read) == 2


@pytest.mark.parametrize("harm", [of_another_user, writable])
def test_a_folder_that_another_can_write_keeps_no_digests(
    tmp_path: pathlib.Path, cache: pathlib.Path, read: list[str], harm: Any
) -> None:
    cache.mkdir(parents=True)
    harm(cache)
    cache.chmod(0o777)
    folder = made(tmp_path / "a", m_safetensors=b"1")
    assert of_folder(folder) == of_folder(folder)
    assert len(read) == 2 and not list(cache.iterdir())


def test_without_a_place_for_them_digests_are_made_each_time(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, read: list[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    folder = made(tmp_path / "a", m_safetensors=b"1")
    assert of_folder(folder) == of_folder(folder) and len(read) == 2
    assert not list((tmp_path / "here").iterdir())


def test_a_file_that_changes_while_it_is_read_has_no_digest(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path / "a", m_safetensors=b"1")

    def changing(path: str) -> str:
        pathlib.Path(path).write_bytes(b"22")
        return "0" * 64

    monkeypatch.setattr(digests, "_sha256", changing)
    with pytest.raises(OSError, match=r"m\.safetensors: changed while it was read"):
        of_folder(folder)


def test_processes_of_one_machine_read_a_file_once(tmp_path: pathlib.Path, read: list[str]) -> None:
    folder = made(tmp_path / "a", m1_safetensors=b"1" * 1_000_000, m2_safetensors=b"2" * 1_000_000)
    threads = [threading.Thread(target=of_folder, args=(folder,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(read) == ["m1.safetensors", "m2.safetensors"]


def snapshot(hub: pathlib.Path, name: str, content: bytes, blob: str = "", commit: str = "c" * 40) -> pathlib.Path:
    """A model as huggingface_hub lays it out."""
    root = hub / ("models--" + name.replace("/", "--"))
    for folder in ("blobs", "refs", f"snapshots/{commit}"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    blob = blob or hashlib.sha256(content).hexdigest()
    (root / "blobs" / blob).write_bytes(content)
    (root / "refs" / "main").write_text(commit, encoding="ascii")
    link = root / "snapshots" / commit / "model.safetensors"
    link.symlink_to(root / "blobs" / blob)
    return link.parent


def test_a_blob_of_the_hub_is_named_by_its_content_and_not_read(tmp_path: pathlib.Path, read: list[str]) -> None:
    found = of_folder(snapshot(tmp_path / "hub", "org/model", b"1"))
    assert read == []
    assert found == of_folder(made(tmp_path / "copy", model_safetensors=b"1"))


def test_a_blob_that_changed_after_its_link_was_made_is_read(tmp_path: pathlib.Path, read: list[str]) -> None:
    folder = snapshot(tmp_path / "hub", "org/model", b"1")
    blob = (folder / "model.safetensors").resolve()
    blob.write_bytes(b"2")
    later = (folder / "model.safetensors").lstat().st_mtime + 10
    os.utime(blob, (later, later))
    assert of_folder(folder) == of_folder(made(tmp_path / "copy", model_safetensors=b"2"))
    assert len(read) == 2


def test_a_small_file_of_the_hub_has_no_sha256_and_is_read(tmp_path: pathlib.Path, read: list[str]) -> None:
    folder = snapshot(tmp_path / "hub", "org/model", b"1", blob="a" * 40)
    assert of_folder(folder) == of_folder(made(tmp_path / "copy", model_safetensors=b"1"))
    assert len(read) == 2


def test_weights_that_changed_after_the_engine_began_to_load_them_are_unknown(tmp_path: pathlib.Path) -> None:
    """The engine may have loaded them before or after."""
    folder = made(tmp_path / "a", m_safetensors=b"1")
    now = (folder / "m.safetensors").stat().st_ctime
    assert weights.identity(Source(str(folder)), "c", loading_since=now + 1).startswith("a@c-")
    with pytest.raises(UnknownWeights, match=r"m\.safetensors changed after this process began.*set model_id"):
        weights.identity(Source(str(folder)), "c", loading_since=now - 1)
    assert weights.identity(Source(str(folder), model_id="mine"), "c", loading_since=now - 1) == "mine@c"
    # A blob of the hub has one content for ever: engines load it when they download it.
    hub = snapshot(tmp_path / "hub", "org/model", b"1")
    assert weights.identity(Source(str(hub)), "c", loading_since=now - 1)


def test_a_start_does_not_wait_for_ever_and_the_next_one_finds_the_digest(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, read: list[str]
) -> None:
    go_on, counted = threading.Event(), digests._sha256
    monkeypatch.setattr(digests, "_sha256", lambda path: counted(path) if go_on.wait(60) else "")
    monkeypatch.setattr(weights, "_PATIENCE", 0.01)
    folder = made(tmp_path / "a", m_safetensors=b"1")
    with pytest.raises(UnknownWeights, match="are still being read, which goes on"):
        weights.identity(Source(str(folder)), "c")
    go_on.set()
    monkeypatch.setattr(weights, "_PATIENCE", 60)
    assert weights.identity(Source(str(folder)), "c").startswith("a@c-")
    assert len(read) == 1


def test_a_process_knows_when_it_began() -> None:
    import time

    assert 0 < time.time() - weights.process_start() < 3_600


def test_a_revision_names_weights_if_it_is_a_commit() -> None:
    commit = "0e9e39f249a16976918f6564b8830bc894c89659"
    assert weights.identity(Source("nobody/nothing", commit), "c") == f"nobody/nothing@c-{commit}"
    for revision in (None, "", "main", "v1.0", commit[:7], commit.upper()):
        with pytest.raises(UnknownWeights, match="set model_id, or --revision to a commit"):
            weights.identity(Source("nobody/nothing", revision), "c")


def test_a_folder_of_downloads_is_looked_into_and_no_other(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("huggingface_hub", reason="missing: huggingface_hub")
    snapshot(tmp_path / "default", "org/model", b"1")
    snapshot(tmp_path / "downloads", "org/model", b"2")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "default"))
    names = [
        weights.identity(Source("org/model", download_dir=place), "c")
        for place in (str(tmp_path / "default"), str(tmp_path / "downloads"))
    ]
    assert names[0] != names[1]
    with pytest.raises(UnknownWeights):
        weights.identity(Source("org/model", download_dir=str(tmp_path / "empty")), "c")
    monkeypatch.setenv("VLLM_USE_MODELSCOPE", "True")
    with pytest.raises(UnknownWeights):
        weights.identity(Source("org/model", download_dir=str(tmp_path / "downloads")), "c")
