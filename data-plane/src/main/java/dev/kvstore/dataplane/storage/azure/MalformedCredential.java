package dev.kvstore.dataplane.storage.azure;

import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why no storage can take a credential, as far as its text tells. Quotes nothing of it. Stateless. */
final class MalformedCredential {
    /** A character that a URL's query has only as an escape (RFC 3986, 3.4). */
    private static final Pattern OUTSIDE_QUERY = Pattern.compile("[^\\w.~!$&'()*+,;=:@/?-]");

    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

    private MalformedCredential() {}

    /** The reason, which follows "the service's credential: "; null if the text is well-formed. */
    static @Nullable String reason(StorageCredential credential) {
        return switch (credential) {
            case StorageCredential.ManagedIdentity _ -> null;
            case StorageCredential.SharedAccessSignature(String token) -> ofToken(token);
            case StorageCredential.ConnectionString(String value) ->
                Arrays.stream(value.split(";"))
                        .map(part -> ofPart(part.strip()))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        };
    }

    private static @Nullable String ofPart(String part) {
        int name = part.indexOf('=');
        return switch (name < 0 ? "" : part.substring(0, name)) {
            case "SharedAccessSignature" -> ofToken(part.substring(name + 1));
            case "AccountKey" -> ofKey(part.substring(name + 1));
            default -> null;
        };
    }

    private static @Nullable String ofToken(String token) {
        Matcher outside = OUTSIDE_QUERY.matcher(ESCAPE.matcher(token).replaceAll("..."));
        return outside.find()
                ? "its SAS token has a character that no URL has, after " + outside.start() + " others; copy it anew"
                : null;
    }

    private static @Nullable String ofKey(String key) {
        try {
            var _ = Base64.getDecoder().decode(key);
            return null;
        } catch (IllegalArgumentException e) {
            return "the AccountKey of its connection string is not Base64; copy it anew";
        }
    }
}
