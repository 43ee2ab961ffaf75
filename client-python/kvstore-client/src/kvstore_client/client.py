"""The client: looks up, reads and writes blocks."""

from __future__ import annotations

import contextlib
import os
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kvstore_client import buffers, checksums, grpc, hosts, names, parts, wire
from kvstore_client.affinity import Affinity
from kvstore_client.dialer import Dialer
from kvstore_client.endpoints import Endpoint, Endpoints
from kvstore_client.errors import DataLossError, DeadlineExceededError, InternalError, KvError, UnimplementedError
from kvstore_client.http2 import Connection
from kvstore_client.names import BlockChain
from kvstore_client.operation import Budget, Operation, Policy, Retry
from kvstore_client.parts import MAX_BUFFER_BYTES, MAX_MESSAGE_BYTES, BlockResult
from kvstore_client.pool import Cancel
from kvstore_client.rendezvous import seed
from kvstore_client.routes import RouteWatch
from kvstore_client.tls import Tls

#: Longest prompt of one operation, in blocks.
MAX_BLOCKS = 65_536

#: Most partitions of one lookup.
MAX_PARTITIONS = 64

#: Most writers that a read can name.
MAX_WRITERS = 16

_RESOURCE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")
_KEY_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_SMALL_ANSWER = 64 * 1024


@dataclass(frozen=True)
class Block:
    """A block that was read: whole and verified. ``tokens`` are int32 in little-endian order, 4 bytes each.

    ``writer`` is the id of the API key that wrote it, or empty.
    """

    location: bytes
    parent: bytes
    tokens: bytes
    extra: bytes
    writer: str
    buffer: memoryview


@dataclass(frozen=True)
class WriteResult:
    """The outcome of a write.

    ``stored`` is false if the block was there before; then ``differs`` tells whether other bytes than these are stored
    under its name. ``stored_crc32c`` and ``stored_bytes`` are of the stored buffer; both are 0 to a key that may not
    read.
    """

    location: bytes
    stored: bool
    stored_crc32c: int
    stored_bytes: int
    differs: bool


@dataclass(frozen=True)
class CommonPrefix:
    """The longest stored prefixes of a prompt in several partitions, in whole blocks.

    ``cached_blocks`` is the length that all of them have, ``each`` is of each, in the order they were asked for.
    """

    cached_blocks: int
    each: tuple[int, ...]


class KvClient:
    """A client of KV Store. Its methods block. Thread-safe; one client serves a whole process.

    Not across ``fork``: a client made before is refused in the child (``RuntimeError``), which makes its own.

    Every operation raises :class:`kvstore_client.errors.KvError` when it fails for good, retries included, and
    ``ValueError`` or ``TypeError`` for arguments that break their rules. ``timeout`` is of the whole operation, in
    seconds. ``affinity`` names the conversation: operations with equal names go to the same data plane while it is well
    and not overloaded; by default the client derives a name from the blocks. ``cancel`` ends an operation from another
    thread.
    """

    def __init__(
        self,
        *,
        resource: str,
        key: str | Callable[[], str],
        endpoints: Sequence[str] = (),
        control_plane: Sequence[str] = (),
        region: str = "",
        tls: Tls | None = None,
        plaintext_anywhere: bool = False,
        routed_hosts: Sequence[str] = (),
        connections: int = 4,
        timeout: float = 30.0,
        part_bytes: int = 2 << 20,
        stall_timeout: float = 2.0,
        retry: Retry | None = None,
    ) -> None:
        """Connects when it is first used; a control plane is asked at once.

        ``resource``: the storage account by its registered name. ``key``: the API key, or a function that returns the
        current one. ``endpoints``: the data planes as ``host:port``, every one, not a balancer before them; or
        ``control_plane``: its replicas, which tell where data planes are. ``region``: where this client is, by its
        registered name; empty: where the account is at home.

        ``tls``: TLS everywhere, with these files; by default plaintext on loopback and TLS with the system's
        authorities elsewhere. ``plaintext_anywhere`` sends key and blocks unencrypted to other machines.
        ``routed_hosts``: hosts to which a route may send this client: names, ``*.`` and the end of names, addresses,
        networks, ``*``; by default any with ``Tls(ca=...)``, else hosts near the control plane and private addresses.

        ``connections`` to each data plane, 1 to 64, each for one call at a time, and as many for lookups.
        ``part_bytes``: the largest part of a block on the wire, 4 KiB to 4 MiB. ``stall_timeout``: seconds of silence
        after which a data plane that answers no ping is given up for another; 0 never.

        Raises ``ValueError`` if an option breaks its rule; the message names it.
        """
        self._pid = os.getpid()
        checksums.warn_if_slow()
        _require(bool(endpoints) != bool(control_plane), "endpoints", "name data planes, or the control_plane")
        _require(not isinstance(endpoints, str), "endpoints", "give a list of host:port")
        _require(not isinstance(control_plane, str), "control_plane", "give a list of host:port")
        _require(
            bool(_RESOURCE.fullmatch(resource)) and ".." not in resource,
            "resource",
            "must be a storage account's registered name: 1 to 63 letters, digits, '.', '_' and '-'",
        )
        _require(not region or bool(control_plane), "region", "is for the control_plane to choose by")
        _require(not routed_hosts or bool(control_plane), "routed_hosts", "is for the routes of the control_plane")
        _require(len(region) <= 63, "region", "must have at most 63 characters")
        _require(not (tls and plaintext_anywhere), "tls", "choose either tls or plaintext_anywhere")
        _require(1 <= connections <= 64, "connections", "must be 1 to 64")
        _require(timeout > 0, "timeout", "must be more than 0 s")
        _require(4096 <= part_bytes <= 4 << 20, "part_bytes", "must be 4,096 to 4,194,304")
        _require(stall_timeout == 0 or stall_timeout >= 0.4, "stall_timeout", "must be 0 (never), or 0.4 s or more")
        self._resource = resource
        self._key = key
        if isinstance(key, str):
            grpc.bearer(key)
        self._timeout = timeout
        self._part_bytes = part_bytes
        fixed = [hosts.parse("endpoints", text) for text in endpoints]
        replicas = [hosts.parse("control_plane", text) for text in control_plane]
        _require(len({*fixed, *replicas}) == len(fixed) + len(replicas), "endpoints", "name each only once")
        rng = random.Random()
        self._affinity = Affinity(rng)
        retry = retry or Retry()
        self._policy = Policy(retry, Budget(retry), rng)
        # A client that makes a single attempt has nowhere to take it.
        stall = stall_timeout if retry.max_attempts > 1 else 0.0
        dialer = Dialer(tls, plaintext_anywhere=plaintext_anywhere, stall=stall)
        if any(dialer.encrypts(address) for address in fixed + replicas):
            dialer.check()  # a flaw of its files is told now
        trusted = None
        if replicas:
            trusted = hosts.RoutedHosts(replicas, routed_hosts, trusted=tls is not None and tls.ca is not None)
        self._endpoints = Endpoints(
            lambda target, address: Endpoint(target.name, address, dialer, connections), trusted
        )
        self._watch: RouteWatch | None = None
        if replicas:
            self._watch = RouteWatch(
                replicas, dialer, self._endpoints, resource, region, self._authorization, random.Random()
            )
        else:
            targets = tuple(wire.Target(text, "", text, 1) for text in endpoints)
            self._endpoints.follow(wire.Route("fixed", [wire.RouteLevel("", 1, targets)]))

    @property
    def timeout(self) -> float:
        """Seconds that an operation may take which is given no timeout of its own."""
        return self._timeout

    # --- operations ---

    def lookup(
        self,
        chain: BlockChain,
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        expected_bytes: int = 0,
        cancel: Cancel | None = None,
    ) -> int:
        """How long a prefix of a prompt is stored, in blocks. Only hashes leave the client.

        A block counted may be missing when it is read, since the service checks the last one only.

        ``expected_bytes``, up to 64 MiB, is the length that each block must have; 0 is any. The prefix then ends before
        a block that the service sees to have another length: it looks at the first block, at the last one, and at
        those it knows. A service that is older than this option counts blocks of any length.
        """
        _require(0 <= expected_bytes <= MAX_BUFFER_BYTES, "expected_bytes", "must be 0 to 64 MiB")
        _require(len(chain) <= MAX_BLOCKS, "chain", f"must have at most {MAX_BLOCKS} blocks")
        if not len(chain):
            return 0
        partition = chain.partition
        request = wire.lookup_request(
            self._resource, partition.name, partition.block_tokens, chain.hashes, expected_bytes
        )
        operation = self._operation(lambda: self._affinity.of(chain), timeout, affinity, cancel)

        def call(connection: Connection, endpoint: Endpoint) -> wire.LookupResponse:
            self._begin(connection, endpoint, "Lookup", [memoryview(request)], operation)
            return grpc.unary(connection, _SMALL_ANSWER, wire.LookupResponse.decode)

        answer = operation.run(call, short=True)
        _check_prefix(chain, answer)
        return answer.cached_blocks

    def lookup_all(
        self,
        chains: Sequence[BlockChain],
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        expected_bytes: int | Sequence[int] = 0,
        cancel: Cancel | None = None,
    ) -> CommonPrefix:
        """How long a prefix of a prompt is stored in each of several partitions, and in all of them, in one call.

        ``chains`` has the prompt's chain in each partition, as one for each tensor-parallel rank: 1 to 64 with equal
        tokens per block and at most 65,536 blocks in all. ``expected_bytes`` is as in :meth:`lookup`, one for all or
        one for each. All are asked for at the data plane of the first one's blocks; name the ``affinity`` of lookups,
        reads and writes, so that the blocks of all ranks are in its memory. Raises ``PermissionDeniedError`` also if
        one of the partitions is not granted. A service that does not know this call is asked for one partition after
        the other.
        """
        chains = list(chains)
        _require(1 <= len(chains) <= MAX_PARTITIONS, "chains", f"must be 1 to {MAX_PARTITIONS}")
        block_tokens = chains[0].partition.block_tokens
        alike = all(chain.partition.block_tokens == block_tokens for chain in chains)
        _require(alike, "chains", "must be of partitions with equal tokens per block")
        _require(sum(map(len, chains)) <= MAX_BLOCKS, "chains", f"must have at most {MAX_BLOCKS} blocks in all")
        lengths = [expected_bytes] * len(chains) if isinstance(expected_bytes, int) else list(expected_bytes)
        _require(len(lengths) == len(chains), "expected_bytes", f"has {len(lengths)} for {len(chains)} chains")
        good = all(0 <= length <= MAX_BUFFER_BYTES for length in lengths)
        _require(good, "expected_bytes", "must be 0 to 64 MiB")
        if not any(map(len, chains)):
            return CommonPrefix(0, (0,) * len(chains))
        queries = [(chain.partition.name, chain.hashes, length) for chain, length in zip(chains, lengths, strict=True)]
        request = wire.lookup_all_request(self._resource, block_tokens, queries)
        first = next(filter(len, chains))
        operation = self._operation(lambda: self._affinity.of(first), timeout, affinity, cancel)

        def call(connection: Connection, endpoint: Endpoint) -> wire.LookupAllResponse:
            self._begin(connection, endpoint, "LookupAll", [memoryview(request)], operation)
            return grpc.unary(connection, _SMALL_ANSWER, wire.LookupAllResponse.decode)

        try:
            answer = operation.run(call, short=True)
        except UnimplementedError:
            each = []
            for chain, length in zip(chains, lengths, strict=True):
                left = operation.deadline - time.monotonic()
                if left <= 0:
                    raise DeadlineExceededError("no time left to begin an attempt") from None
                each.append(self.lookup(chain, timeout=left, affinity=affinity, expected_bytes=length, cancel=cancel))
            return CommonPrefix(min(each), tuple(each))
        if len(answer.partitions) != len(chains):
            raise InternalError(f"the server answers for {len(answer.partitions)} partitions of {len(chains)}")
        for chain, found in zip(chains, answer.partitions, strict=True):
            _check_prefix(chain, found)
        each = [found.cached_blocks for found in answer.partitions]
        return CommonPrefix(min(each), tuple(each))

    def read_into(
        self,
        blocks: BlockChain | Sequence[bytes],
        into: Sequence[Any],
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        writers: Sequence[str] = (),
        expected_bytes: int = 0,
        on_block: Callable[[BlockResult], None] | None = None,
        cancel: Cancel | None = None,
    ) -> list[BlockResult]:
        """Reads blocks into buffers of the caller, without a copy, and verifies them; one result for each, in order.

        ``blocks`` is a chain or a list of locations, ``into`` a writable buffer in host memory for each, at least as
        long as the block. ``on_block`` hears of each block as it arrives, on this thread. A block that is missing,
        damaged or too long is a result with an error, and so is every block that had not arrived at the deadline, or
        when the last attempt failed: what arrived before is good. Raises ``KvError`` only if there was no answer to
        any block. ``writers`` are ids of API keys: blocks that other keys wrote are missing then.
        ``expected_bytes`` is the length that each block must have, or 0: one of another length is a
        ``FailedPreconditionError``, which names both, and its buffer stays as it is.
        """
        addresses = self._addresses(blocks)
        _require(len(into) == len(addresses), "into", f"has {len(into)} buffers for {len(addresses)} blocks")
        targets = [buffers.view(buffer, writable=True) for buffer in into]

        def memory(index: int, head: wire.BlockHead) -> memoryview | None:
            return targets[index] if targets[index].nbytes >= head.buffer_bytes else None

        key = self._key_of(blocks, addresses)
        return self._stream(addresses, memory, key, timeout, affinity, writers, expected_bytes, on_block, cancel)

    def read(
        self,
        location: bytes,
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        writers: Sequence[str] = (),
        expected_bytes: int = 0,
        cancel: Cancel | None = None,
    ) -> Block:
        """Reads one block into memory of its own. Raises ``NotFoundError`` if it is not stored.

        ``expected_bytes`` is the length that it must have, or 0; ``FailedPreconditionError`` otherwise.
        """
        addresses = self._addresses([location])
        made: list[bytearray] = []

        def memory(_: int, head: wire.BlockHead) -> memoryview:
            made.append(bytearray(head.buffer_bytes))
            return memoryview(made[-1])

        key = self._key_of(addresses, addresses)
        found = self._stream(addresses, memory, key, timeout, affinity, writers, expected_bytes, None, cancel)[0]
        if found.error:
            raise found.error
        head = found.head or wire.BlockHead()
        return Block(found.location, head.parent, head.tokens, head.extra, head.writer, memoryview(made[-1]))

    def write(
        self,
        chain: BlockChain,
        index: int,
        buffer: Any,
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        cancel: Cancel | None = None,
    ) -> WriteResult:
        """Writes block ``index`` of a prompt, and waits until storage has made it durable.

        ``buffer`` is 1 byte to 64 MiB of host memory, of any kind that :func:`kvstore_client.buffers.view` takes, and
        must not change meanwhile. Write a prompt's blocks in order. Raises ``DataLossError`` if other bytes were
        stored.
        """
        data = buffers.view(buffer)
        _require(1 <= data.nbytes <= MAX_BUFFER_BYTES, "buffer", "must have 1 byte to 64 MiB")
        crc32c = checksums.crc32c(data)
        partition = chain.partition
        request = wire.write_request(
            self._resource,
            partition.name,
            partition.block_tokens,
            tokens=chain.tokens(index),
            extra=chain.extra(index),
            name=chain.hash(index),
            parent=chain.parent(index),
            crc32c=crc32c,
            buffer_bytes=data.nbytes,
        )
        operation = self._operation(lambda: self._affinity.of(chain), timeout, affinity, cancel)

        def call(connection: Connection, endpoint: Endpoint) -> wire.WriteResponse:
            self._begin(connection, endpoint, "Write", [memoryview(request), data], operation)
            return grpc.unary(connection, _SMALL_ANSWER, wire.WriteResponse.decode)

        return _write_result(chain.location(index), crc32c, data.nbytes, operation.run(call))

    def close(self) -> None:
        """Ends operations under way; waits 5 s at most."""
        if os.getpid() != self._pid:
            return  # all of it is the parent's
        if self._watch:
            self._watch.close()
        self._endpoints.close()

    def __enter__(self) -> KvClient:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes it."""
        self.close()

    def __repr__(self) -> str:
        """Without the key, which is a secret."""
        return f"KvClient(resource={self._resource!r}, route={self._endpoints.version!r})"

    # --- how ---

    def _stream(
        self,
        addresses: list[bytes],
        memory: Callable[[int, wire.BlockHead], memoryview | None],
        key: Callable[[], int],
        timeout: float | None,
        affinity: str | None,
        writers: Sequence[str],
        expected_bytes: int,
        on_block: Callable[[BlockResult], None] | None,
        cancel: Cancel | None,
    ) -> list[BlockResult]:
        _require(len(writers) <= MAX_WRITERS, "writers", f"must be at most {MAX_WRITERS}")
        _require(all(_KEY_ID.fullmatch(writer) for writer in writers), "writers", "must be ids of API keys")
        _require(0 <= expected_bytes <= MAX_BUFFER_BYTES, "expected_bytes", "must be 0 to 64 MiB")
        results: list[BlockResult] = []
        if not addresses:
            return results
        operation = self._operation(key, timeout, affinity, cancel)

        def done(result: BlockResult) -> None:
            results.append(result)
            operation.progressed()
            if on_block:
                on_block(result)

        def call(connection: Connection, endpoint: Endpoint) -> None:
            first = len(results)
            wanted = addresses[first:]
            request = wire.streaming_read_request(self._resource, wanted, self._part_bytes, writers, expected_bytes)
            self._begin(connection, endpoint, "StreamingRead", [memoryview(request)], operation)
            receiver = parts.BlockReceiver(wanted, first, memory, done, writers, expected_bytes)
            _receive(connection, receiver, len(wanted))

        try:
            operation.run(call)
        except KvError as e:
            if not results:
                raise
            e.__traceback__ = e.__context__ = None  # its frames would keep the caller's buffers in use
            for index in range(len(results), len(addresses)):
                results.append(BlockResult(index, addresses[index], 0, e))
        return results

    def _begin(
        self,
        connection: Connection,
        endpoint: Endpoint,
        method: str,
        message: Sequence[memoryview],
        operation: Operation,
    ) -> None:
        authorization = self._authorization()  # which may wait, for a function of the application's
        operation.attach(connection)
        grpc.begin(
            connection,
            grpc.SERVICE + method,
            str(endpoint.address),
            message,
            tls=endpoint.tls,
            authorization=authorization,
            deadline=operation.deadline,
        )

    def _operation(
        self, key: Callable[[], int], timeout: float | None, affinity: str | None, cancel: Cancel | None
    ) -> Operation:
        if os.getpid() != self._pid:
            raise RuntimeError("this KvClient was made before fork(); make one in this process")
        _require(timeout is None or timeout > 0, "timeout", "must be more than 0 s")
        deadline = time.monotonic() + (self._timeout if timeout is None else timeout)
        chosen = key() if affinity is None else seed(affinity)
        return Operation(self._endpoints, self._policy, chosen, deadline, cancel or Cancel())

    def _authorization(self) -> bytes:
        return grpc.bearer(self._key if isinstance(self._key, str) else self._key())

    def _addresses(self, blocks: BlockChain | Sequence[bytes]) -> list[bytes]:
        _require(len(blocks) <= MAX_BLOCKS, "blocks", f"must be at most {MAX_BLOCKS}")
        if isinstance(blocks, BlockChain):
            return blocks.locations()
        for address in blocks:
            names.hash_of(address)
        return [bytes(address) for address in blocks]

    def _key_of(self, blocks: BlockChain | Sequence[bytes], addresses: list[bytes]) -> Callable[[], int]:
        if isinstance(blocks, BlockChain):
            chain = blocks
            return lambda: self._affinity.of(chain)
        return lambda: self._affinity.of_names([names.hash_of(address) for address in addresses[:8]])


def _receive(connection: Connection, receiver: parts.BlockReceiver, blocks: int) -> None:
    try:
        with grpc.explained(connection):
            while receiver.position < blocks:
                size = grpc.next_message(connection, MAX_MESSAGE_BYTES)
                if size is None:
                    receiver.end()
                    return
                parts.read_message(connection, size, receiver)
    except wire.DecodeError as e:
        raise InternalError(f"the server sent what is no StreamingReadResponse: {e}") from None
    with contextlib.suppress(KvError):  # all blocks are here; a connection that breaks now is of no more use
        connection.wait_end()


def _check_prefix(chain: BlockChain, found: wire.LookupResponse) -> None:
    cached = found.cached_blocks
    if cached > len(chain) or found.last_hash != chain.parent(cached):
        raise InternalError("the server's cached_blocks and last_hash are not of this prompt")


def _write_result(location: bytes, crc32c: int, size: int, answer: wire.WriteResponse) -> WriteResult:
    name = names.hash_of(location).hex()
    # A key that may only write is not told the checksum and length of a block that others stored.
    told = answer.stored_bytes != 0
    differs = told and (answer.stored_crc32c, answer.stored_bytes) != (crc32c, size)
    if answer.outcome not in (1, 2):
        raise InternalError(f"the server does not say whether it stored block {name}")
    if answer.location != location:
        raise InternalError(f"the server stored block {name} elsewhere")
    stored = answer.outcome == 1
    if stored and (differs or not told):
        raise DataLossError(f"block {name} was stored with another checksum or length than it was sent")
    return WriteResult(location, stored, answer.stored_crc32c, answer.stored_bytes, differs)


def _require(holds: bool, option: str, rule: str) -> None:
    if not holds:
        raise ValueError(f"{option}: {rule}")
