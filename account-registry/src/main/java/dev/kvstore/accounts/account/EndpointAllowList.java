package dev.kvstore.accounts.account;

import dev.kvstore.admin.name.PlainText;
import dev.kvstore.admin.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The endpoints that tenants may register. Data planes connect to registered endpoints with credentials, so not every
 * host is allowed. A pattern is an endpoint in which {@code *} stands for text without {@code /}. Without patterns the
 * storage accounts of one cloud are allowed, which is the cloud of the suffix. Thread-safe.
 */
@ApplicationScoped
public class EndpointAllowList {
    private static final String FOLDER = "file://";

    private final List<String> patterns;
    private final List<Pattern> compiled;
    private final String blobDnsSuffix;

    /** @param blobDnsSuffix the host name of a storage account without its name, such as .blob.core.windows.net */
    EndpointAllowList(
            @ConfigProperty(name = "kvstore.storage-endpoints") Optional<List<String>> patterns,
            @ConfigProperty(name = "kvstore.blob-dns-suffix", defaultValue = ".blob.core.windows.net")
                    String blobDnsSuffix) {
        this.blobDnsSuffix = blobDnsSuffix;
        this.patterns = List.copyOf(patterns.orElseGet(() -> List.of(of("*"))));
        this.compiled = this.patterns.stream().map(EndpointAllowList::compile).toList();
    }

    /** The endpoint of a storage account with this name. */
    String of(String name) {
        return "https://" + name + blobDnsSuffix;
    }

    private static Pattern compile(String pattern) {
        boolean folder = pattern.startsWith("file:");
        return Pattern.compile(pattern.strip()
                .chars()
                .mapToObj(c -> c == '*' ? (folder ? ".*" : "[^/]*") : Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining()));
    }

    /**
     * The normal form of an endpoint: a URL in lower case, without a last slash.
     *
     * @param field the field with the value, for the message
     * @throws ProblemException if the text is not an endpoint, or the endpoint is not allowed
     */
    String allowed(String field, String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw ProblemException.invalid(field, "must be a URL, in which a space is %20");
        }
        if ("file".equals(uri.getScheme())) {
            String path = folderPath(field, uri);
            // A pattern contains the path of a folder without escapes.
            requireAllowed(field, FOLDER + path);
            return FOLDER + Paths.encoded(path);
        }
        String endpoint = http(field, uri);
        requireAllowed(field, endpoint);
        return endpoint;
    }

    private void requireAllowed(String field, String endpoint) {
        if (compiled.stream().noneMatch(pattern -> pattern.matcher(endpoint).matches())) {
            throw ProblemException.invalid(
                    field, "must match one of the endpoints that this platform allows: " + String.join(", ", patterns));
        }
    }

    private static String http(String field, URI uri) {
        boolean http = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
        if (!http
                || uri.getHost() == null
                || uri.getRawUserInfo() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw ProblemException.invalid(
                    field, "must be http or https with a host, in whose name is no _, and at most a port and a path");
        }
        String path = uri.normalize().getRawPath();
        return uri.getScheme().toLowerCase(Locale.ROOT)
                + "://"
                + uri.getHost().toLowerCase(Locale.ROOT)
                + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + (path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    private static String folderPath(String field, URI uri) {
        String path = uri.normalize().getPath();
        if (path == null
                || !path.startsWith("/")
                || path.length() < 2
                || uri.getAuthority() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null
                || path.contains("//")
                || (path + "/").contains("/./")
                || path.contains("/..")
                || PlainText.flaw(path) != null) {
            throw ProblemException.invalid(
                    field, "must be file:/// and an absolute path without control characters, in which a space is %20");
        }
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Whether an endpoint is a folder of the data planes' own machines. */
    public static boolean isFolder(String endpoint) {
        return endpoint.startsWith("file:");
    }

    /** The path of a folder's endpoint, as the file system has it. */
    public static String folder(String endpoint) {
        return URI.create(endpoint).getPath();
    }
}
