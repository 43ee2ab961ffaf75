package dev.kvstore.launcher.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that name owners: they fill the braces of a path, or filter a list. */
final class ScopeFlags {
    private static final String FLAG = "--";

    @Option(
            names = "--tenant",
            paramLabel = "T",
            description = "Only those of this tenant: keys, accounts, grants, audit.")
    private @Nullable String tenant;

    @Option(
            names = "--account",
            paramLabel = "A",
            description = "Only those of this account: grants, placements, warmings.")
    private @Nullable String account;

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "Only those of this region: round-trips, clusters, accounts.")
    private @Nullable String region;

    @Option(names = "--cluster", paramLabel = "C", description = "Only those of this cluster: processes, join tokens.")
    private @Nullable String cluster;

    /** The given values, by the flags' names without dashes. */
    Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        put(given, "tenant", tenant);
        put(given, "account", account);
        put(given, "region", region);
        put(given, "cluster", cluster);
        return given;
    }

    static void put(Map<String, String> given, String name, @Nullable String value) {
        if (value != null) {
            given.put(name, value);
        }
    }

    /**
     * Fills a path. The used flags are removed from {@code given}.
     *
     * @param template the path, whose parts in braces are filled
     * @throws IllegalArgumentException if the flag for a part is missing
     */
    static List<String> path(String template, Map<String, String> given) {
        List<String> path = new ArrayList<>();
        for (String part : template.split("/", -1)) {
            if (!part.startsWith("{")) {
                path.add(part);
                continue;
            }
            String name = part.substring(1, part.length() - 1);
            String value = given.remove(name);
            if (value == null || value.isEmpty()) {
                throw new IllegalArgumentException(FLAG + name + ": is missing; it says whose");
            }
            path.add(value);
        }
        return List.copyOf(path);
    }

    /**
     * Checks that no other flags are left.
     *
     * @throws IllegalArgumentException if a flag was given that has no meaning here
     */
    static void requireOnly(Map<String, String> left, List<String> meant, ResourceKind kind) {
        Set<String> strange = new TreeSet<>(left.keySet());
        strange.removeAll(meant);
        if (!strange.isEmpty()) {
            throw new IllegalArgumentException(
                    FLAG + strange.iterator().next() + ": means nothing for " + kind.plural() + " here");
        }
    }
}
