"""Writes block-hash-vectors.json, block-format-vectors.json and extra-vectors.json beside itself, from the text of protocol/README.md
alone: it shares no code with the Java it checks. Python 3.9 or newer, standard library only."""
import hashlib
import json
import pathlib
import struct

PAGE = 4096
SEGMENT = 128 * 1024
HERE = pathlib.Path(__file__).parent


def root_hash(partition, block_tokens):
    name = partition.encode("utf-8")
    return hashlib.sha256(b"kvstore.root.v1" + struct.pack("<II", block_tokens, len(name)) + name).digest()


def block_hash(parent, extra, tokens):
    ids = struct.pack(f"<{len(tokens)}i", *tokens)
    return hashlib.sha256(b"kvstore.block.v1" + parent + struct.pack("<I", len(extra)) + extra + ids).digest()


def crc_table():
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        yield value


TABLE = list(crc_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def chain(title, partition, block_tokens, prompt, extras=()):
    parent = root = root_hash(partition, block_tokens)
    blocks = []
    for i in range(len(prompt) // block_tokens):
        tokens = prompt[i * block_tokens:(i + 1) * block_tokens]
        extra = extras[i] if extras else b""
        parent = block_hash(parent, extra, tokens)
        location = b"\x01" + root + parent
        blocks.append({"extra": extra.hex(), "hash": parent.hex(), "location": location.hex()})
    return {"title": title, "partition": partition, "partition_utf8": partition.encode("utf-8").hex(),
            "block_tokens": block_tokens, "root": root.hex(), "tokens": prompt, "blocks": blocks}


def chains():
    largest, least = 2**31 - 1, -2**31
    yield chain("no whole block: only a root", "llama", 128, [])
    yield chain("one token, one block", "llama", 1, [0])
    yield chain("the same token under another name", "llama2", 1, [0])
    yield chain("the whole range of a token", "org/model@v2;dtype=bf16;tp=0/8", 1, [1, -1, largest, least, 128000])
    yield chain("equal tokens twice: two blocks, since their parents differ", "a", 1, [7, 7])
    yield chain("sixteen tokens a block, with a rest that counts for nothing", "org/model@v2", 16, list(range(100, 137)))
    yield chain("names beyond ASCII: two, three and four bytes a character", "modèle/模型/🦙", 16,
                [i * 65537 - 1 for i in range(32)])
    yield chain("extras, one of them empty", "vision", 16, [5] * 48,
                [hashlib.sha256(b"image").digest(), b"", b"adapter=7"])
    yield chain("the usual block", "llama-3.1-70b/bf16", 128, [(i * 2654435761) % 128256 for i in range(256)])
    yield chain("the longest name", "p" * 512, 1, [42])


def stored(title, partition, prefix, tokens, extra, key_id, buffer_bytes):
    root = root_hash(partition, len(tokens))
    parent = root
    for before in prefix:
        parent = block_hash(parent, b"", before)
    name = block_hash(parent, extra, tokens)
    buffer = bytes((31 * i + 7) % 251 for i in range(buffer_bytes))
    segments = [crc32c(buffer[at:at + SEGMENT]) for at in range(0, buffer_bytes, SEGMENT)]
    variable = struct.pack(f"<{len(tokens)}i", *tokens) + extra + key_id.encode("ascii")
    variable += struct.pack(f"<{len(segments)}I", *segments)
    used = 140 + len(variable)
    header_bytes = (used + PAGE - 1) // PAGE * PAGE
    fixed = b"KVBLOCK\0" + struct.pack("<HHIQIIHHI", 1, 0, header_bytes, buffer_bytes, len(tokens), len(extra),
                                       len(key_id), 0, SEGMENT) + root + parent + name
    assert len(fixed) == 136
    padding = bytes(header_bytes - used)
    checksum = crc32c(fixed + variable + padding)
    header = fixed + struct.pack("<I", checksum) + variable
    return {"title": title, "partition": partition, "root": root.hex(), "parent": parent.hex(), "hash": name.hex(),
            "tokens": tokens, "extra": extra.hex(), "key_id": key_id, "buffer_bytes": buffer_bytes,
            "buffer_crc32c": crc32c(buffer), "segment_crc32c": segments, "header_bytes": header_bytes,
            "header_crc32c": checksum, "header_sha256": hashlib.sha256(header + padding).hexdigest(),
            "header_without_padding": header.hex()}


def blocks():
    yield stored("the smallest block", "a", [], [0], b"", "", 1)
    yield stored("three segments, the last one short", "org/modèle", [list(range(16))], [-1] + list(range(15)),
                 b"adapter=7", "key-01", 300_000)


TAGS = {"adapter": 1, "salt": 2, "image": 3, "audio": 4, "video": 5, "embedding": 6, "other": 255}


def statement(kind, first_token=0, tokens=0, label="", value=b""):
    return {"kind": kind, "first_token": first_token, "tokens": tokens, "label": label, "value": value.hex()}


def extra_value(said):
    value = bytes.fromhex(said["value"])
    if said["kind"] in ("adapter", "salt"):
        return value
    if said["kind"] == "other":
        return bytes([len(said["label"])]) + said["label"].encode("ascii") + value
    return struct.pack("<II", said["first_token"], said["tokens"]) + value


def encoded(pairs):
    return b"\x01" + b"".join(bytes([tag]) + struct.pack("<I", len(value)) + value for tag, value in pairs)


def extra(title, *statements):
    pairs = sorted((TAGS[said["kind"]], extra_value(said)) for said in statements)
    return {"title": title, "statements": statements, "refused": False,
            "bytes": (encoded(pairs) if pairs else b"").hex()}


def refused(title, data):
    return {"title": title, "statements": [], "refused": True, "bytes": data.hex()}


def extras():
    digest = hashlib.sha256(b"weights").digest()
    cat, dog = (hashlib.sha256(name).digest() for name in (b"cat", b"dog"))
    yield extra("nothing is no bytes")
    yield extra("an adapter", statement("adapter", value=digest))
    yield extra("a salt of the same bytes", statement("salt", value=digest))
    yield extra("both", statement("salt", value=b"tenant-7"), statement("adapter", value=digest))
    yield extra("two images, the second one given first", statement("image", 64, 64, value=dog),
                statement("image", 0, 64, value=cat))
    yield extra("one image in two places", statement("image", 0, 1, value=cat), statement("image", 256, 1, value=cat))
    yield extra("audio, video and embeddings", statement("embedding", 0, 8192, value=cat),
                statement("video", 8191, 1, value=b"v"), statement("audio", 1, 2, value=b"a"))
    yield extra("what callers name themselves", statement("other", label="tokenizer", value=b"v2"),
                statement("other", label="b.c_d-0", value=b""), statement("adapter", value=b"x"))
    yield extra("the longest label", statement("other", label="l" * 64, value=b"\x00"))
    yield refused("another form", b"\x02" + encoded([(1, b"x")])[1:])
    yield refused("the form alone", b"\x01")
    yield refused("an unknown tag", encoded([(7, b"x")]))
    yield refused("not in order", encoded([(2, b"x"), (1, b"x")]))
    yield refused("values of one tag not in order", encoded([(3, struct.pack("<II", 1, 1) + b"x"),
                                                             (3, struct.pack("<II", 0, 1) + b"x")]))
    yield refused("two adapters", encoded([(1, b"x"), (1, b"y")]))
    yield refused("the same image twice", encoded([(3, struct.pack("<II", 0, 1) + b"x")] * 2))
    yield refused("one label twice", encoded([(255, b"\x01ax"), (255, b"\x01ay")]))
    yield refused("an empty salt", encoded([(2, b"")]))
    yield refused("an image of no tokens", encoded([(3, struct.pack("<II", 0, 0) + b"x")]))
    yield refused("an image beyond the largest block", encoded([(3, struct.pack("<II", 8192, 1) + b"x")]))
    yield refused("an image at a negative token", encoded([(3, struct.pack("<iI", -1, 1) + b"x")]))
    yield refused("an image without a digest", encoded([(3, struct.pack("<II", 0, 1))]))
    yield refused("a label with a capital letter", encoded([(255, b"\x01Ax")]))
    yield refused("a label longer than its value", encoded([(255, b"\x02a")]))
    yield refused("a label of 65 letters", encoded([(255, b"\x41" + b"l" * 65)]))
    yield refused("a length that is cut short", encoded([(1, b"x")])[:4])
    yield refused("a value that is cut short", encoded([(1, b"xy")])[:-1])
    yield refused("a length beyond 2 GiB", b"\x01\x01\xff\xff\xff\xffx")
    yield refused("a byte behind the end", encoded([(1, b"x")]) + b"\x00")


def write(file, about, vectors):
    lines = ",\n".join("    " + json.dumps(v, ensure_ascii=False) for v in vectors)
    text = '{\n  "about": %s,\n  "vectors": [\n%s\n  ]\n}\n' % (json.dumps(about), lines)
    (HERE / file).write_text(text, encoding="utf-8")


write("block-hash-vectors.json", "Names of blocks. Part of the contract: protocol/README.md. Bytes are hexadecimal.",
      chains())
write("block-format-vectors.json", "Stored headers, zeros to header_bytes left out. Byte i of the buffer is "
      "(31 i + 7) mod 251. Part of the contract: protocol/README.md. Bytes are hexadecimal.", blocks())
write("extra-vectors.json", "The tagged form of extra: statements in the order they are given, and the bytes; then bytes "
      "that are refused. Part of the contract: protocol/README.md. Bytes are hexadecimal.", extras())
