package dev.kvstore.launcher.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say whose: they fill the braces of a path, or make a list shorter. */
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

    /** The values that were given, by the flags' names without dashes. */
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
     * Fills a path. The flags that it uses are taken out of {@code given}.
     *
     * @param template its parts in braces are filled
     * @throws IllegalArgumentException if a part is not given
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
     * Holds if only these are left.
     *
     * @throws IllegalArgumentException if a flag was given that means nothing here
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
