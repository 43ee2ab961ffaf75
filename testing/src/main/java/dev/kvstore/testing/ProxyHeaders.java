package dev.kvstore.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Headers of the PROXY protocol like those of load balancers, of version 2 unless stated otherwise. Stateless. */
public final class ProxyHeaders {
    public static final byte PROXY = 0x21;
    public static final byte LOCAL = 0x20;
    public static final byte TCP4 = 0x11;
    public static final byte UDP4 = 0x12;
    public static final byte TCP6 = 0x21;
    public static final byte UNKNOWN = 0;

    /** The position in a header of its command and its family of addresses. */
    public static final int COMMAND_AT = 12;

    public static final int FAMILY_AT = 13;

    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final int FIRST_BYTES = 16;
    private static final short PORT = 8085;

    private ProxyHeaders() {}

    /** A header of version and command, family, and all further bytes. */
    public static byte[] of(byte command, byte family, byte[] rest) {
        return ByteBuffer.allocate(FIRST_BYTES + rest.length)
                .put(SIGNATURE)
                .put(command)
                .put(family)
                .putShort((short) rest.length)
                .put(rest)
                .array();
    }

    /** The header of a TCP connection that a client made, with additions. */
    public static byte[] of(String client, int port, byte[] additions) {
        byte[] address = InetAddress.ofLiteral(client).getAddress();
        ByteBuffer rest = ByteBuffer.allocate(2 * address.length + 2 * Short.BYTES + additions.length)
                .put(address)
                .put(address)
                .putShort((short) port)
                .putShort(PORT)
                .put(additions);
        return of(PROXY, address.length == 4 ? TCP4 : TCP6, rest.array());
    }

    /** The header of a TCP connection that a client made. */
    public static byte[] of(String client) {
        return of(client, 40_000, new byte[0]);
    }

    /** The header of a connection that the balancer made for itself. */
    public static byte[] ofItself() {
        return of(LOCAL, UNKNOWN, new byte[0]);
    }

    /** An addition with its type, its length and its value. */
    public static byte[] addition(int type, byte[] value) {
        return ByteBuffer.allocate(3 + value.length)
                .put((byte) type)
                .putShort((short) value.length)
                .put(value)
                .array();
    }

    /** The number of a private endpoint, in the addition of Azure's Private Link. */
    public static byte[] linkId(int id) {
        return addition(
                0xEE,
                ByteBuffer.allocate(5)
                        .put((byte) 1)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(id)
                        .array());
    }

    /** A header of version 1. */
    public static byte[] ofVersion1(String client) {
        return ("PROXY TCP4 " + client + " 10.0.0.1 40000 8085\r\n").getBytes(US_ASCII);
    }
}
