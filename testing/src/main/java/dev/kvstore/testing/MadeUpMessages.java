package dev.kvstore.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Makes up bytes that might arrive in place of a protobuf message: good messages with a field that is missing, too
 * long, of another kind or unknown; messages of only such fields; and bytes that are no message. One thread uses it.
 */
public final class MadeUpMessages {
    /** A tag that no message of KV Store has. */
    private static final int UNKNOWN_FIELD = 30_000;

    private static final int MOST_REPEATED = 40;

    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "..",
            "a..b",
            "-",
            "a/b/../c",
            "%00%2e",
            "\0",
            "line\nbreak",
            "Größe € 💩",
            "'; drop table tenant; --",
            "${jndi:ldap://x}",
            "a".repeat(64),
            "a".repeat(513),
            "é".repeat(100_000));

    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        127,
        128,
        4_095,
        8_193,
        65_537,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private static final int[] LENGTHS = {0, 1, 31, 32, 33, 64, 65, 66, 4_097, 70_000};

    private final RandomGenerator random;

    public MadeUpMessages(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Bytes in place of a message.
     *
     * @param good a valid message of the type
     */
    public ByteString next(Descriptor type, ByteString good) {
        return switch (random.nextInt(10)) {
            case 0 -> bytes(random.nextInt(200));
            case 1 -> damaged(good);
            case 2, 3 -> madeUp(type, 3);
            default -> altered(type, good);
        };
    }

    private ByteString bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }

    /** A message that is cut off, or with some bytes changed. */
    private ByteString damaged(ByteString good) {
        if (good.isEmpty()) {
            return bytes(7);
        }
        if (random.nextBoolean()) {
            return good.substring(0, random.nextInt(good.size()));
        }
        byte[] bytes = good.toByteArray();
        for (int i = 0; i < 3; i++) {
            bytes[random.nextInt(Math.min(bytes.length, 200))] = (byte) random.nextInt();
        }
        return ByteString.copyFrom(bytes);
    }

    /** A message with one wrong field, its own or one of an inner message. */
    private ByteString altered(Descriptor type, ByteString good) {
        try {
            FieldDescriptor field = any(type.getFields());
            UnknownFieldSet fields = UnknownFieldSet.parseFrom(good);
            List<ByteString> inner = fields.getField(field.getNumber()).getLengthDelimitedList();
            boolean deeper = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !inner.isEmpty();
            Field value = deeper && random.nextInt(5) > 0
                    ? Field.newBuilder()
                            .addLengthDelimited(altered(field.getMessageType(), inner.getFirst()))
                            .build()
                    : value(field, 2);
            UnknownFieldSet.Builder changed = fields.toBuilder();
            changed.clearField(field.getNumber());
            if (random.nextInt(8) > 0) {
                changed.addField(field.getNumber(), value);
            }
            return changed.build().toByteString();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("that is no good message", e);
        }
    }

    private ByteString madeUp(Descriptor type, int depth) {
        UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
        for (FieldDescriptor field : type.getFields()) {
            if (random.nextInt(3) > 0) {
                fields.addField(field.getNumber(), value(field, depth));
            }
        }
        if (random.nextInt(3) == 0) {
            fields.addField(UNKNOWN_FIELD + random.nextInt(9), any(List.of(number(), texts(1))));
        }
        return fields.build().toByteString();
    }

    private Field value(FieldDescriptor field, int depth) {
        int count = field.isRepeated() ? random.nextInt(MOST_REPEATED) : 1;
        if (random.nextInt(12) == 0) {
            // On the wire the tag decides, whatever the type demands.
            return any(List.of(number(), texts(count)));
        }
        return switch (field.getJavaType()) {
            case STRING -> texts(count);
            case BYTE_STRING -> lengths(count);
            case MESSAGE -> messages(field.getMessageType(), count, depth);
            default -> field.isRepeated() ? lengths(1) : number();
        };
    }

    private Field texts(int count) {
        Field.Builder field = Field.newBuilder();
        for (int i = 0; i < count; i++) {
            // Some texts are no UTF-8.
            field.addLengthDelimited(random.nextInt(6) == 0 ? bytes(9) : ByteString.copyFromUtf8(any(TEXTS)));
        }
        return field.build();
    }

    private Field lengths(int count) {
        Field.Builder field = Field.newBuilder();
        for (int i = 0; i < count; i++) {
            field.addLengthDelimited(bytes(LENGTHS[random.nextInt(LENGTHS.length)]));
        }
        return field.build();
    }

    private Field messages(Descriptor type, int count, int depth) {
        Field.Builder field = Field.newBuilder();
        for (int i = 0; i < count; i++) {
            field.addLengthDelimited(depth == 0 ? bytes(5) : madeUp(type, depth - 1));
        }
        return field.build();
    }

    private Field number() {
        long number = NUMBERS[random.nextInt(NUMBERS.length)];
        Field.Builder field = Field.newBuilder();
        return switch (random.nextInt(4)) {
            case 0 -> field.addFixed32((int) number).build();
            case 1 -> field.addFixed64(number).build();
            default -> field.addVarint(number).build();
        };
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
