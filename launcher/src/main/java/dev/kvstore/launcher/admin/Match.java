package dev.kvstore.launcher.admin;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag that keeps two admins from overwriting each other, and the path of the changed resource. */
final class Match {
    @Option(
            names = "--if-match",
            paramLabel = "ETAG",
            description = "Only if this still is its version, as get shows it; * for any that is there.")
    private @Nullable String ifMatch;

    Map<String, String> headers() {
        return ifMatch == null ? Map.of() : headers(ifMatch);
    }

    /**
     * The header with the condition that a resource still has this ETag, whose quotes are easily lost on a command
     * line.
     */
    static Map<String, String> headers(String etag) {
        return Map.of("If-Match", etag.matches("\\d+") ? "\"" + etag + "\"" : etag);
    }

    /**
     * The path of one resource.
     *
     * @throws IllegalArgumentException if a flag is missing or has no meaning here
     */
    List<String> path(ResourceKind kind, String name, ScopeFlags scope) {
        Map<String, String> given = scope.given();
        given.put("name", name);
        List<String> path = ScopeFlags.path(String.valueOf(kind.item()), given);
        ScopeFlags.requireOnly(given, List.of(), kind);
        return path;
    }
}
