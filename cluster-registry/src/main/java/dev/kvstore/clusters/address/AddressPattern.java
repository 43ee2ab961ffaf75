package dev.kvstore.clusters.address;

import dev.kvstore.protocol.host.HostPattern;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of addresses that a cluster takes: a {@link HostPattern}, alone for every port, or followed by {@code :}
 * and one port or a range of ports, such as {@code 8085-8099}. Immutable.
 */
public final class AddressPattern {
    /** The rule for patterns, for error messages. */
    public static final String SHAPE =
            "must be host or host:ports, as in *.kv.example.com:8085, 10.0.0.0/8:8085-8099 or"
                    + " [fd00::/8]; the host is " + HostPattern.SHAPE;

    private static final Pattern PATTERN = Pattern.compile(
            "(?<host>\\[[^\\[\\]]*]|[^:\\[\\]]*)(:(?<first>[1-9][0-9]{0,4})(-(?<last>[1-9][0-9]{0,4}))?)?");

    private static final int MOST_PORT = 65_535;

    private final String text;
    private final HostPattern host;
    private final int first;
    private final int last;

    private AddressPattern(String text, HostPattern host, int first, int last) {
        this.text = text;
        this.host = host;
        this.first = first;
        this.last = last;
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if the text is no pattern; the message is {@link #SHAPE}
     */
    public static AddressPattern of(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(SHAPE);
        }
        int first = 1;
        int last = MOST_PORT;
        if (matcher.group("first") != null) {
            first = Integer.parseInt(matcher.group("first"));
            last = matcher.group("last") == null ? first : Integer.parseInt(matcher.group("last"));
        }
        if (first > last || last > MOST_PORT) {
            throw new IllegalArgumentException(SHAPE);
        }
        try {
            return new AddressPattern(text, HostPattern.of(matcher.group("host")), first, last);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(SHAPE, e);
        }
    }

    /** Whether one of the patterns takes an address, or there are no patterns. */
    public static boolean anyTakes(Collection<AddressPattern> patterns, String address) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.takes(address));
    }

    /** Whether the pattern takes a host and port. */
    public boolean takes(String address) {
        int colon = address.lastIndexOf(':');
        int port = Integer.parseInt(address.substring(colon + 1));
        return port >= first && port <= last && host.takes(address.substring(0, colon));
    }

    @Override
    public String toString() {
        return text;
    }
}
