"""SGLang's server by the command of ``docs/engines/sglang.md``, with options for a machine without a GPU."""

from __future__ import annotations

import json
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from engine_process import prompt
from model import VOCABULARY, make
from orders import end
from sglang_engine import environment
from stack import CHECKOUT, Stack, wait

pytestmark = pytest.mark.engine

_HERE = ["--device", "cpu", "--dtype", "float32", "--max-total-tokens", "16384", "--enable-cache-report"]


@pytest.fixture(scope="module")
def model(sglang: None, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A tiny model with a tokenizer, whose words are numbers."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    folder = make(tmp_path_factory.mktemp("models") / uuid4().hex)
    words = {"<unk>": 0, "<s>": 1, "</s>": 2, **{str(i): i for i in range(3, VOCABULARY)}}
    text = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    text.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=text, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    ).save_pretrained(folder)
    return folder


def command(model: pathlib.Path) -> list[str]:
    """The command as the document has it."""
    document = (CHECKOUT / "docs" / "engines" / "sglang.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^python (-m sglang\.launch_server (?:.*\\\n)*.*)$", document, re.MULTILINE)
    return [str(model) if word == "MODEL" else word for word in shlex.split(text.replace("\\\n", ""))]


@contextmanager
def server(model: pathlib.Path, stack: Stack, log: pathlib.Path) -> Iterator[str]:
    """The address of a server that answers; afterwards it has ended."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = environment(stack.key) | {"KV_ENDPOINTS": ",".join(stack.endpoints), "KV_RESOURCE": stack.resource}
    with log.open("wb") as file:
        started = subprocess.Popen(
            [sys.executable, *command(model), *_HERE, "--port", str(port)], stdout=file, stderr=file, env=environ
        )
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert started.poll() is None, log.read_text(encoding="utf-8")[-5000:]
        try:
            return bool(urllib.request.urlopen(f"{url}/health", timeout=30).status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    try:
        wait(answers, 300)
        yield url
    finally:
        started.terminate()
        end(started)


def ask(url: str, seed: int, length: int) -> tuple[str, int]:
    """The text of an answer, and how many of the prompt's tokens came from a cache."""
    body = {"model": "any", "prompt": " ".join(map(str, prompt(seed, length))), "max_tokens": 16, "temperature": 0}
    told: dict[str, Any] = json.load(
        urllib.request.urlopen(
            urllib.request.Request(
                f"{url}/v1/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
            ),
            timeout=300,
        )
    )
    cached = told["usage"]["prompt_tokens_details"]
    return told["choices"][0]["text"], cached["cached_tokens"] if cached else 0


def test_a_server_that_was_restarted_loads_what_it_had_computed(
    model: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    before = sum(file.is_file() for file in stack.storage.rglob("*"))
    with server(model, stack, tmp_path / "first.log") as url:
        first, cached = ask(url, 1, 1000)
        assert cached == 0
        pages = 1000 // 64
        wait(lambda: sum(file.is_file() for file in stack.storage.rglob("*")) >= before + 2 * pages)
    with server(model, stack, tmp_path / "second.log") as url:
        assert ask(url, 1, 1000) == (first, 960)
