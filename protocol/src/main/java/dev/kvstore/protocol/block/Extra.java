package dev.kvstore.protocol.block;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Statements about a block beyond its tokens, in the tagged form of protocol/README.md. Each statement has a tag and a
 * length, so that an adapter can never be taken for a salt, and the order is fixed, so that equal statements are equal
 * bytes. The service keeps {@code extra} as opaque bytes, whatever form they have; the form is an agreement between
 * clients. Immutable.
 */
public final class Extra {
    /** The most bytes of all statements together. */
    public static final int MAX_BYTES = 65_536;

    /** The first byte of this form. */
    static final byte FORM = 1;

    private static final Extra NONE = new Extra(new byte[0], List.of());

    /** A statement with its tag. */
    record ExtraEntry(ExtraTag tag, ByteString value) implements Comparable<ExtraEntry> {
        @Override
        public int compareTo(ExtraEntry other) {
            int byTag = Integer.compare(tag.number(), other.tag.number());
            return byTag == 0 ? ByteString.unsignedLexicographicalComparator().compare(value, other.value) : byTag;
        }
    }

    private final byte[] bytes;
    private final List<ExtraEntry> entries;

    private Extra(byte[] bytes, List<ExtraEntry> entries) {
        this.bytes = bytes;
        this.entries = entries;
    }

    /** A builder without statements. */
    public static ExtraBuilder builder() {
        return new ExtraBuilder();
    }

    /**
     * Makes one of statements in any order.
     *
     * @throws IllegalArgumentException if two of them exclude each other, or if all together are too long
     */
    static Extra of(List<ExtraEntry> statements) {
        if (statements.isEmpty()) {
            return NONE;
        }
        List<ExtraEntry> sorted = statements.stream().sorted().toList();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(FORM);
        ExtraEntry before = null;
        for (ExtraEntry entry : sorted) {
            if (before != null && entry.tag().excludes(before, entry)) {
                throw new IllegalArgumentException("extra: " + entry.tag().label() + " is given twice");
            }
            before = entry;
            out.write(entry.tag().number());
            out.writeBytes(ExtraTag.u32(entry.value().size()));
            out.writeBytes(entry.value().toByteArray());
        }
        if (out.size() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "extra: has " + out.size() + " bytes; at most " + MAX_BYTES + " are kept");
        }
        return new Extra(out.toByteArray(), sorted);
    }

    /**
     * Parses encoded bytes, such as those of a block that was read. No bytes are no statements.
     *
     * @param encoded the remaining bytes of this buffer, whose position does not move
     * @throws IllegalArgumentException if {@link #toByteArray} gives no such bytes
     */
    public static Extra parse(ByteBuffer encoded) {
        byte[] given = new byte[encoded.remaining()];
        encoded.duplicate().get(given);
        if (given.length == 0) {
            return NONE;
        }
        ByteBuffer rest = ByteBuffer.wrap(given).order(ByteOrder.LITTLE_ENDIAN);
        if (rest.get() != FORM) {
            throw new IllegalArgumentException("extra: is not in the tagged form 1");
        }
        List<ExtraEntry> entries = new ArrayList<>();
        while (rest.hasRemaining()) {
            entries.add(entry(rest));
        }
        Extra parsed = of(entries);
        if (!Arrays.equals(parsed.bytes, given)) {
            throw new IllegalArgumentException("extra: its statements are not in ascending order");
        }
        return parsed;
    }

    private static ExtraEntry entry(ByteBuffer rest) {
        ExtraTag tag = ExtraTag.of(rest.get());
        if (rest.remaining() < Integer.BYTES) {
            throw new IllegalArgumentException("extra: is cut short");
        }
        int length = rest.getInt();
        if (length < 0 || length > rest.remaining()) {
            throw new IllegalArgumentException("extra: is cut short");
        }
        ByteString value = ByteString.copyFrom(rest, length);
        tag.requireValue(value);
        return new ExtraEntry(tag, value);
    }

    /** Whether there are no statements. Then there are no bytes, so the block is the one that its tokens alone name. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** A copy of the bytes that are part of a block's name: none, or 7 to {@link #MAX_BYTES}. */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    /** The bytes of {@link #toByteArray}, read-only, for {@link BlockChain} and for a block to write. */
    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Extra extra && Arrays.equals(bytes, extra.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The tags and lengths, without the values, which may be secrets such as salts. */
    @Override
    public String toString() {
        return entries.stream()
                .map(entry -> entry.tag().label() + " of " + entry.value().size() + " bytes")
                .toList()
                .toString();
    }
}
