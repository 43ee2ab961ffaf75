"""Tasks: results are taken once, by whoever was woken for them."""

from __future__ import annotations

import os
from concurrent.futures import Future

from kvstore_lmcache.tasks import Tasks, at_once, mapped


class Pipe:
    """A notifier as LMCache makes it where there is no eventfd."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        self.woken = 0

    def fileno(self) -> int:
        return self._read

    def notify(self) -> None:
        os.write(self._write, b"1")
        self.woken += 1

    def close(self) -> None:
        os.close(self._read)
        os.close(self._write)


def test_a_result_wakes_and_is_taken_once() -> None:
    pipe = Pipe()
    tasks: Tasks[str] = Tasks(pipe)
    work: Future[str] = Future()
    task = tasks.follow(work)
    assert (tasks.fd, tasks.take(task), pipe.woken) == (pipe.fileno(), None, 0)
    work.set_result("done")
    assert os.read(tasks.fd, 10) == b"1"
    assert (tasks.take(task), tasks.take(task)) == ("done", None)
    tasks.close()


def test_all_results_are_taken_at_once() -> None:
    tasks: Tasks[int] = Tasks(Pipe())
    one, two = tasks.follow(at_once(1)), tasks.follow(mapped(at_once(1), lambda it: it + 1))
    assert one != two
    assert tasks.take_all() == {one: 1, two: 2}
    assert tasks.take_all() == {}
    tasks.close()


def test_what_ends_after_close_wakes_nobody() -> None:
    pipe = Pipe()
    tasks: Tasks[int] = Tasks(pipe)
    work: Future[int] = Future()
    task = tasks.follow(work)
    tasks.close()
    work.set_result(1)
    assert (pipe.woken, tasks.take(task)) == (0, None)
