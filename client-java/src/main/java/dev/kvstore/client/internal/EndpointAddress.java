package dev.kvstore.client.internal;

import dev.kvstore.protocol.host.HostNames;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The address of a data plane or a control plane.
 *
 * @param host a name or an address; an IPv6 address in brackets
 * @param port 1 to 65535
 */
public record EndpointAddress(String host, int port) {
    /**
     * Parses an address such as {@code 127.0.0.1:8085}, {@code [::1]:8085} or {@code kv.example.com:443}.
     *
     * @throws IllegalArgumentException if the text is no address
     */
    public static EndpointAddress parse(String text) {
        return parse("endpoints", text);
    }

    static EndpointAddress parse(String option, String text) {
        try {
            URI uri = new URI("kv://" + text);
            String host = uri.getHost();
            if (host != null
                    && uri.getRawUserInfo() == null
                    && uri.getPort() > 0
                    && uri.getPort() < 65536
                    && uri.getRawAuthority().equals(text)) {
                return new EndpointAddress(host, uri.getPort());
            }
        } catch (URISyntaxException e) {
            throw flaw(option, text, e);
        }
        throw flaw(option, text, null);
    }

    private static IllegalArgumentException flaw(String option, String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                option + ": \"" + text + "\" is not host:port; write it like 127.0.0.1:8085 or [::1]:8085"
                        + HostNames.hint(text),
                cause);
    }

    /**
     * Whether the address is loopback, so that no byte to it leaves this machine. Only the name {@code localhost}
     * counts as loopback.
     */
    public boolean loopback() {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
        return literal != null && literal.isLoopbackAddress();
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
