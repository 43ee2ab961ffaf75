package dev.kvstore.protocol.block;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the tokens of a block do not say, in the tagged form of protocol/README.md: each statement with a tag and a
 * length, so that an adapter can never be taken for a salt, and in one order, so that equal statements are equal bytes.
 * The service keeps {@code extra} as opaque bytes, whatever form they have; the form is an agreement between clients.
 * Immutable.
 */
public final class Extra {
    /** Most bytes of the whole. */
    public static final int MAX_BYTES = 65_536;

    /** The first byte of this form. */
    static final byte FORM = 1;

    private static final Extra NONE = new Extra(new byte[0], List.of());

    /** A statement. */
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

    /** Says nothing yet. */
    public static ExtraBuilder builder() {
        return new ExtraBuilder();
    }

    /**
     * The statements in any order.
     *
     * @throws IllegalArgumentException if two of them exclude each other, or all are too long
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
     * The statements of encoded bytes, such as those of a block that was read. No bytes say nothing.
     *
     * @param encoded its remaining bytes; its position does not move
     * @throws IllegalArgumentException if these are not the bytes that {@link #toByteArray} gives
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

    /** Whether it says nothing. Then it has no bytes, so the block is the one that its tokens alone name. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** The bytes that are part of a block's name: none, or 7 to {@link #MAX_BYTES}. A copy. */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    /** {@link #toByteArray}, read-only, for {@link BlockChain} and for a block that is written. */
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

    /** Tags and lengths; values may be secrets, as salts are. */
    @Override
    public String toString() {
        return entries.stream()
                .map(entry -> entry.tag().label() + " of " + entry.value().size() + " bytes")
                .toList()
                .toString();
    }
}
