package dev.kvstore.dataplane.account;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The address of a storage service. Stateless. */
public final class StorageEndpoint {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private StorageEndpoint() {}

    /**
     * The address in a text: http:// or https://, a host, and at most a port and a path; null if it is none. A message
     * about that must not show the text, which may hold a secret.
     */
    public static @Nullable URI parse(String text) {
        try {
            URI endpoint = new URI(text);
            return SCHEMES.contains(String.valueOf(endpoint.getScheme()))
                            && endpoint.getHost() != null
                            && endpoint.getRawUserInfo() == null
                            && endpoint.getRawQuery() == null
                            && endpoint.getRawFragment() == null
                    ? endpoint
                    : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
