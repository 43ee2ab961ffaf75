package dev.kvstore.protocol.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A pattern of hosts: {@code *} for any, a name, {@code *.} and the end of names, an IP address, or a network such as
 * {@code 10.0.0.0/8} or {@code [fd00::/8]}. IPv6 is in brackets. Names are not looked up: a network takes no name, and
 * a name no IP address. Immutable.
 */
public sealed interface HostPattern {
    /** The rule for patterns, for error messages. */
    String SHAPE = "*, a name, *. and the end of names, an IP address, or a network such as 10.0.0.0/8 or [fd00::/8]";

    /** Whether the pattern takes a host: a name, or an IP address, IPv6 in brackets. */
    boolean takes(String host);

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if the text is no pattern; the message is {@link #SHAPE}
     */
    static HostPattern of(String text) {
        if (text.equals("*")) {
            return new Any();
        }
        String suffix = text.startsWith("*.") ? text.substring(1) : "";
        if (HostNameRule.isName(suffix.isEmpty() ? text : suffix.substring(1))) {
            return suffix.isEmpty() ? new Named(HostNameRule.plain(text)) : new Subdomains(HostNameRule.plain(suffix));
        }
        return Network.of(text).orElseThrow(() -> new IllegalArgumentException(SHAPE));
    }

    /** A pattern for every host. */
    record Any() implements HostPattern {
        @Override
        public boolean takes(String host) {
            return true;
        }
    }

    /** A pattern for one name. */
    record Named(String name) implements HostPattern {
        @Override
        public boolean takes(String host) {
            return HostNameRule.isName(host) && HostNameRule.plain(host).equals(name);
        }
    }

    /**
     * A pattern for all names below another.
     *
     * @param suffix begins with a dot
     */
    record Subdomains(String suffix) implements HostPattern {
        @Override
        public boolean takes(String host) {
            return HostNameRule.isName(host) && HostNameRule.plain(host).endsWith(suffix);
        }
    }

    /** A pattern for IP addresses whose first bits are equal. */
    final class Network implements HostPattern {
        private static final int MOST_DIGITS = 3;

        private final byte[] address;
        private final int bits;

        private Network(byte[] address, int bits) {
            this.address = address;
            this.bits = bits;
        }

        private static Optional<HostPattern> of(String text) {
            boolean bracketed = text.startsWith("[") && text.endsWith("]");
            String bare = bracketed ? text.substring(1, text.length() - 1) : text;
            int slash = bare.indexOf('/');
            String host = slash < 0 ? bare : bare.substring(0, slash);
            String length = slash < 0 ? "" : bare.substring(slash + 1);
            if (slash >= 0 && !length.matches("0|[1-9][0-9]{0," + (MOST_DIGITS - 1) + "}")) {
                return Optional.empty();
            }
            return HostNameRule.literal(bracketed ? "[" + host + "]" : host).flatMap(bytes -> {
                int all = bytes.length * Byte.SIZE;
                int bits = slash < 0 ? all : Integer.parseInt(length);
                return bits > all ? Optional.empty() : Optional.of(new Network(bytes, bits));
            });
        }

        @Override
        public boolean takes(String host) {
            return HostNameRule.literal(host).filter(this::begins).isPresent();
        }

        private boolean begins(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % Byte.SIZE);
                if (((other[bit / Byte.SIZE] ^ address[bit / Byte.SIZE]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Tells names from IP addresses like the strictest resolver. Stateless. */
    final class HostNameRule {
        private static final Pattern NAME = Pattern.compile("(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?"
                + "(\\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\\.?");

        /**
         * Names that end with a number, such as 10.1, 010.0.0.1 or 0x7f000001, which some resolvers take for an IP
         * address.
         */
        private static final Pattern NUMERIC = Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9A-Fa-f]*)\\.?");

        private static final Pattern FOUR = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
        private static final Pattern SIX = Pattern.compile("\\[[0-9A-Fa-f:.]{2,45}]");

        private HostNameRule() {}

        static boolean isName(String host) {
            return NAME.matcher(host).matches() && !NUMERIC.matcher(host).matches();
        }

        /** The name in lower case, without the dot at the end of a full name: neither has a meaning. */
        static String plain(String name) {
            String lower = name.toLowerCase(Locale.ROOT);
            return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        }

        /** The bytes of an IP address; empty if the text is none, or if libraries read it in different ways. */
        static Optional<byte[]> literal(String host) {
            if (!SIX.matcher(host).matches()) {
                return FOUR.matcher(host).matches() ? four(host) : Optional.empty();
            }
            try {
                // A text in brackets is never looked up as a name.
                return Optional.of(InetAddress.getByName(host).getAddress());
            } catch (UnknownHostException e) {
                return Optional.empty();
            }
        }

        private static Optional<byte[]> four(String host) {
            byte[] address = new byte[4];
            String[] parts = host.split("\\.", -1);
            for (int i = 0; i < address.length; i++) {
                int part = Integer.parseInt(parts[i]);
                if (part > 255) {
                    return Optional.empty();
                }
                address[i] = (byte) part;
            }
            return Optional.of(address);
        }
    }
}
