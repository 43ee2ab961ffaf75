package dev.kvstore.dataplane.storage.http;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy through which connections to storage go, by HTTP's method CONNECT. It gets no password.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record HttpProxy(String host, int port) {
    /** An example of a proxy, for an error; nobody has it. */
    public static final String EXAMPLE = "proxy.internal:3128";

    /** The form of a proxy's name, for an error. */
    public static final String SHAPE = "HOST:PORT without a scheme, a user or a path, as in " + EXAMPLE;

    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^\\s:/@\\[\\]]+)):([0-9]{1,5})");
    private static final int LAST_PORT = 65_535;

    /** Matches hosts as {@link #isDirect} does, in the form that the JDK's system properties have. */
    public static final String DIRECT_HOSTS = "localhost|127.*|[::1]|169.254.*";

    /**
     * The proxy that a setting names.
     *
     * @throws IllegalArgumentException if it is not HOST:PORT
     */
    public static HttpProxy of(String value) {
        Matcher parts = FORM.matcher(value);
        if (parts.matches()) {
            int port = Integer.parseInt(parts.group(3));
            if (port > 0 && port <= LAST_PORT) {
                return new HttpProxy(parts.group(1) == null ? parts.group(2) : parts.group(1), port);
            }
        }
        throw new IllegalArgumentException("must be " + SHAPE + ", not " + value);
    }

    /**
     * Whether a host is reached without the proxy: this machine, and link-local addresses, where a cloud's machines
     * find their identity.
     */
    static boolean isDirect(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            InetAddress address = InetAddress.ofLiteral(host);
            return address.isLoopbackAddress() || address.isLinkLocalAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
