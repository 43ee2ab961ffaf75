package dev.kvstore.terraform.azurerm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Terraform's values in MessagePack: null, {@code Boolean}, {@code Long}, {@code Double}, {@code BigDecimal},
 * {@code String}, {@code List}, {@code Map}, and {@link #UNKNOWN} for a value that a plan does not know. Thread-safe.
 */
final class MessagePack {
    /** A value that a plan does not know yet. */
    static final Object UNKNOWN = Optional.of("unknown");

    private static final int SHORT = 0xff;
    private static final int MEDIUM = 0xffff;

    private MessagePack() {}

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the bytes are none
     */
    static @Nullable Object read(ByteString bytes) {
        return read(bytes.asReadOnlyByteBuffer());
    }

    private static @Nullable Object read(ByteBuffer in) {
        int type = in.get() & SHORT;
        if (type < 0x80) {
            return (long) type;
        }
        if (type >= 0xe0) {
            return (long) (byte) type;
        }
        if (type < 0x90) {
            return map(in, type & 0x0f);
        }
        if (type < 0xa0) {
            return list(in, type & 0x0f);
        }
        if (type < 0xc0) {
            return text(in, type & 0x1f);
        }
        return switch (type) {
            case 0xc0 -> null;
            case 0xc2 -> false;
            case 0xc3 -> true;
            case 0xc4, 0xd9 -> text(in, in.get() & SHORT);
            case 0xc5, 0xda -> text(in, in.getShort() & MEDIUM);
            case 0xc6, 0xdb -> text(in, in.getInt());
            case 0xc7 -> extension(in, in.get() & SHORT);
            case 0xc8 -> extension(in, in.getShort() & MEDIUM);
            case 0xc9 -> extension(in, in.getInt());
            case 0xca -> (double) in.getFloat();
            case 0xcb -> in.getDouble();
            case 0xcc -> (long) (in.get() & SHORT);
            case 0xcd -> (long) (in.getShort() & MEDIUM);
            case 0xce -> in.getInt() & 0xffff_ffffL;
            case 0xcf -> new BigDecimal(Long.toUnsignedString(in.getLong()));
            case 0xd0 -> (long) in.get();
            case 0xd1 -> (long) in.getShort();
            case 0xd2 -> (long) in.getInt();
            case 0xd3 -> in.getLong();
            case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> extension(in, 1 << (type - 0xd4));
            case 0xdc -> list(in, in.getShort() & MEDIUM);
            case 0xdd -> list(in, in.getInt());
            case 0xde -> map(in, in.getShort() & MEDIUM);
            case 0xdf -> map(in, in.getInt());
            default -> throw new IllegalArgumentException("no MessagePack: type " + Integer.toHexString(type));
        };
    }

    // The only extension that Terraform has says "unknown", with or without facts about the value.
    private static Object extension(ByteBuffer in, int length) {
        in.position(in.position() + 1 + length);
        return UNKNOWN;
    }

    private static String text(ByteBuffer in, int length) {
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, UTF_8);
    }

    private static List<@Nullable Object> list(ByteBuffer in, int size) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(read(in));
        }
        return list;
    }

    private static Map<String, @Nullable Object> map(ByteBuffer in, int size) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put(String.valueOf(read(in)), read(in));
        }
        return map;
    }

    /** Writes a value of those that {@link #read} gives. */
    static ByteString write(@Nullable Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes), value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteString.copyFrom(bytes.toByteArray());
    }

    private static void write(DataOutputStream out, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> out.writeByte(0xc0);
            case Boolean known -> out.writeByte(known ? 0xc3 : 0xc2);
            case Long number -> {
                out.writeByte(0xd3);
                out.writeLong(number);
            }
            case Double number -> {
                out.writeByte(0xcb);
                out.writeDouble(number);
            }
            // Terraform reads a number from its decimal digits as well.
            case BigDecimal number -> write(out, number.toPlainString());
            case String text -> {
                byte[] encoded = text.getBytes(UTF_8);
                out.writeByte(0xdb);
                out.writeInt(encoded.length);
                out.write(encoded);
            }
            case List<?> list -> {
                out.writeByte(0xdd);
                out.writeInt(list.size());
                for (Object element : list) {
                    write(out, element);
                }
            }
            case Map<?, ?> map -> {
                out.writeByte(0xdf);
                out.writeInt(map.size());
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    write(out, entry.getKey());
                    write(out, entry.getValue());
                }
            }
            // An extension of type 0 and one byte.
            default -> out.write(new byte[] {(byte) 0xd4, 0, 0});
        }
    }
}
