package dev.kvstore.protocol.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Private keys in the forms before PKCS#8, as cert-manager and older versions of openssl write them: PKCS#1 (RFC 8017)
 * for RSA, SEC1 (RFC 5915) for EC. PKCS#8 has the same bytes after the name of an algorithm. This class only adds that
 * name, so no library is needed, and Java reads the key itself. Stateless.
 */
final class OlderKey {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;

    /** The tag of an EC key's parameters, which name the curve. */
    private static final int PARAMETERS = 0xA0;

    private static final byte[] VERSION = {INTEGER, 1, 0};

    /** The object identifier 1.2.840.113549.1.1.1, without parameters. */
    private static final byte[] RSA = {6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 1, 5, 0};

    /** The object identifier 1.2.840.10045.2.1; the curve follows. */
    private static final byte[] EC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

    /** Reads values in DER, one after the other. */
    private static final class Values {
        private final byte[] bytes;
        private int at;
        private final int end;

        Values(byte[] bytes, int from, int end) {
            this.bytes = bytes;
            this.at = from;
            this.end = end;
        }

        boolean hasNext() {
            return at < end;
        }

        int tag() {
            return bytes[at] & 0xFF;
        }

        /** The values within the next value. */
        Values next() {
            at++;
            int length = bytes[at++] & 0xFF;
            if (length >= 0x80) {
                int digits = length & 0x7F;
                length = 0;
                for (int i = 0; i < digits && i < 3; i++) {
                    length = (length << 8) | (bytes[at++] & 0xFF);
                }
            }
            if (length > end - at) {
                throw new IndexOutOfBoundsException(length);
            }
            Values content = new Values(bytes, at, at + length);
            at += length;
            return content;
        }

        byte[] rest() {
            return Arrays.copyOfRange(bytes, at, end);
        }
    }

    private OlderKey() {}

    /** Converts PKCS#1 to PKCS#8. */
    static byte[] rsa(byte[] key) {
        return wrapped(RSA, key);
    }

    /**
     * Converts SEC1 to PKCS#8.
     *
     * @throws IndexOutOfBoundsException if the key is damaged, or names no curve
     */
    static byte[] ec(byte[] key) {
        Values fields = new Values(key, 0, key.length).next();
        while (fields.hasNext()) {
            int tag = fields.tag();
            Values field = fields.next();
            if (tag == PARAMETERS) {
                return wrapped(joined(EC, field.rest()), key);
            }
        }
        throw new IndexOutOfBoundsException("no curve");
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return value(SEQUENCE, joined(VERSION, value(SEQUENCE, algorithm), value(OCTETS, key)));
    }

    private static byte[] value(int tag, byte[] content) {
        int length = content.length;
        byte[] head = length < 0x80
                ? new byte[] {(byte) tag, (byte) length}
                : new byte[] {(byte) tag, (byte) 0x83, (byte) (length >> 16), (byte) (length >> 8), (byte) length};
        return joined(head, content);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }
}
