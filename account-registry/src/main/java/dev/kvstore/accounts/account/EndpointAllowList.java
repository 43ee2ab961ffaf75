package dev.kvstore.accounts.account;

import dev.kvstore.admin.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
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
class EndpointAllowList {
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
        String wildcard = switch (storage(pattern)) {
            case AccountStorage.Filesystem _ -> ".*";
            case AccountStorage.Azure _ -> "[^/]*";
        };
        return Pattern.compile(pattern.strip()
                .chars()
                .mapToObj(c -> c == '*' ? wildcard : Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining()));
    }

    private static AccountStorage storage(String endpoint) {
        return AccountStorage.of(new StorageRow(endpoint, "", "", false));
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
        String endpoint = storage(text).endpoint(field, uri);
        String matched = switch (storage(endpoint)) {
            // A pattern contains the path of a folder without escapes.
            case AccountStorage.Filesystem folder -> "file://" + folder.path();
            case AccountStorage.Azure _ -> endpoint;
        };
        if (compiled.stream().noneMatch(pattern -> pattern.matcher(matched).matches())) {
            throw ProblemException.invalid(
                    field, "must match one of the endpoints that this platform allows: " + String.join(", ", patterns));
        }
        return endpoint;
    }
}
