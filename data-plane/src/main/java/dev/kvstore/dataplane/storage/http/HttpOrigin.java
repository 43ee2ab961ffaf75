package dev.kvstore.dataplane.storage.http;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Locale;

/** The server that requests go to; requests to one origin can share connections. */
public record HttpOrigin(boolean tls, String host, int port) {
    /**
     * The origin of a URL.
     *
     * @throws MalformedURLException if its scheme is neither http nor https
     */
    public static HttpOrigin of(URL url) throws MalformedURLException {
        boolean tls = url.getProtocol().equalsIgnoreCase("https");
        if (!tls && !url.getProtocol().equalsIgnoreCase("http")) {
            throw new MalformedURLException(url.getProtocol() + " is neither http nor https");
        }
        String host = url.getHost();
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return new HttpOrigin(
                tls,
                (bracketed ? host.substring(1, host.length() - 1) : host).toLowerCase(Locale.ROOT),
                url.getPort() < 0 ? url.getDefaultPort() : url.getPort());
    }

    /** The value of the header {@code Host}. */
    String authority() {
        String name = host.indexOf(':') < 0 ? host : '[' + host + ']';
        return port == (tls ? 443 : 80) ? name : name + ':' + port;
    }

    @Override
    public String toString() {
        return authority();
    }
}
