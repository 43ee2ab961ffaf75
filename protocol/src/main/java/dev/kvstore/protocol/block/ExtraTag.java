package dev.kvstore.protocol.block;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.regex.Pattern;

/** The subject of a statement of an {@link Extra}. The numbers are part of the contract, and never reused. */
enum ExtraTag {
    ADAPTER(1),
    SALT(2),
    IMAGE(3),
    AUDIO(4),
    VIDEO(5),
    EMBEDDING(6),
    OTHER(255);

    /** The bytes of a range: first token and number of tokens. */
    static final int RANGE_BYTES = 8;

    private static final Pattern LABEL = Pattern.compile("[a-z0-9._-]{1,64}");

    private final int number;

    ExtraTag(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ExtraTag of(byte number) {
        for (ExtraTag tag : values()) {
            if (tag.number == Byte.toUnsignedInt(number)) {
                return tag;
            }
        }
        throw new IllegalArgumentException("extra: has the unknown tag " + Byte.toUnsignedInt(number));
    }

    /** Whether two statements with this tag, of which the second follows the first in order, exclude each other. */
    boolean excludes(Extra.ExtraEntry first, Extra.ExtraEntry second) {
        if (first.tag() != this) {
            return false;
        }
        return switch (this) {
            case ADAPTER, SALT -> true;
            case IMAGE, AUDIO, VIDEO, EMBEDDING -> first.equals(second);
            case OTHER -> labelled(first.value()).equals(labelled(second.value()));
        };
    }

    /** The bytes of a value that hold its label. */
    private static ByteString labelled(ByteString value) {
        return value.substring(0, 1 + Byte.toUnsignedInt(value.byteAt(0)));
    }

    /**
     * Checks that a value fits this tag.
     *
     * @throws IllegalArgumentException if it does not; the message names the tag
     */
    void requireValue(ByteString value) {
        switch (this) {
            case ADAPTER, SALT -> require(!value.isEmpty(), "is empty");
            case IMAGE, AUDIO, VIDEO, EMBEDDING -> {
                require(value.size() > RANGE_BYTES, "has no digest");
                ByteBuffer range = value.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
                requireRange(range.getInt(), range.getInt());
            }
            case OTHER -> {
                int length = value.isEmpty() ? 0 : Byte.toUnsignedInt(value.byteAt(0));
                require(value.size() > length, "has no label");
                requireLabel(value.substring(1, 1 + length).toString(US_ASCII));
            }
        }
    }

    void requireRange(int firstToken, int tokens) {
        require(
                firstToken >= 0
                        && tokens >= 1
                        && tokens <= Partition.MAX_BLOCK_TOKENS
                        && firstToken <= Partition.MAX_BLOCK_TOKENS - tokens,
                "must be of 1 or more tokens within a block of " + Partition.MAX_BLOCK_TOKENS);
    }

    void requireLabel(String label) {
        require(LABEL.matcher(label).matches(), "needs a label of 1 to 64 letters a-z, digits, '.', '_' and '-'");
    }

    private void require(boolean holds, String flaw) {
        if (!holds) {
            throw new IllegalArgumentException("extra: " + label() + " " + flaw);
        }
    }

    static byte[] u32(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }
}
