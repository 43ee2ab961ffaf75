package dev.kvstore.doctor.service;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * The gRPC address of a data plane or a control plane, as clients are given it.
 *
 * @param host a name or an IP address; one of IPv6 in brackets
 * @param port 1 to 65535
 */
public record ServiceAddress(String host, int port) {
    private static final int HTTP_OFFSET = 1_000;
    private static final int PORTS = 65_536;

    /** The address in a text such as {@code 127.0.0.1:8085}; empty if the text is none. */
    public static Optional<ServiceAddress> parse(String text) {
        try {
            URI uri = new URI("kv://" + text);
            boolean whole = uri.getHost() != null && text.equals(uri.getRawAuthority()) && uri.getUserInfo() == null;
            return whole && uri.getPort() > 0 && uri.getPort() < PORTS
                    ? Optional.of(new ServiceAddress(uri.getHost(), uri.getPort()))
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** The host without brackets. */
    String bareHost() {
        return host.replaceAll("[\\[\\]]", "");
    }

    /** Whether no byte to it leaves this machine, so that clients speak plaintext unless they have a CA. */
    boolean isLoopback() {
        return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    /** A page of the data plane's port for health and metrics, if that is at its usual place. */
    URI page(boolean tls, String path) {
        return URI.create((tls ? "https://" : "http://") + host + ":" + (port + HTTP_OFFSET) + path);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
