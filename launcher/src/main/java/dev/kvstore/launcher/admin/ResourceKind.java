package dev.kvstore.launcher.admin;

import static dev.kvstore.launcher.admin.Field.FieldType.FLAG;
import static dev.kvstore.launcher.admin.Field.FieldType.NUMBER;
import static dev.kvstore.launcher.admin.Field.FieldType.TEXT;
import static dev.kvstore.launcher.admin.Field.FieldType.WORDS;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resource of the REST API.
 *
 * @param name the word for one
 * @param plural the word for a list
 * @param list the path of the list, whose parts in braces are filled from the flags of that name; null if there is no
 *     list
 * @param item the path of one resource, likewise; null if there is none
 * @param methods the methods that {@code item} takes
 * @param filters the flags that filter a list
 * @param columns the fields in a table; the first one names a resource in {@code item}
 * @param fields of a PUT or PATCH
 */
record ResourceKind(
        String name,
        String plural,
        @Nullable String list,
        @Nullable String item,
        Set<String> methods,
        List<String> filters,
        List<String> columns,
        List<Field> fields) {
    private static final Set<String> EVERYTHING = Set.of("GET", "PUT", "PATCH", "DELETE");

    static final ResourceKind KEY = new ResourceKind(
            "key",
            "keys",
            "v1/tenants/{tenant}/keys",
            "v1/tenants/{tenant}/keys/{name}",
            Set.of("GET", "PATCH", "DELETE"),
            List.of(),
            List.of("id", "label", "createdAt", "expiresAt", "revokedAt"),
            List.of(Field.of("label", TEXT), Field.of("expiresAt", TEXT)));

    static final ResourceKind JOIN_TOKEN = new ResourceKind(
            "join-token",
            "join-tokens",
            "v1/clusters/{cluster}/join-tokens",
            "v1/clusters/{cluster}/join-tokens/{name}",
            Set.of("GET", "DELETE"),
            List.of(),
            List.of("id", "label", "createdAt", "expiresAt", "lastUsedAt"),
            List.of());

    static final ResourceKind GRANT = new ResourceKind(
            "grant",
            "grants",
            "v1/accounts/{account}/grants",
            "v1/accounts/{account}/grants/{name}",
            EVERYTHING,
            List.of(),
            List.of("name", "resourceName", "grantee", "access", "partition", "keyId", "expiresAt"),
            List.of(
                    Field.of("grantee", TEXT),
                    Field.of("access", WORDS),
                    Field.of("partition", TEXT),
                    Field.of("keyId", TEXT),
                    Field.of("expiresAt", TEXT)));

    /** All kinds, in the order in which a platform is set up. */
    static final List<ResourceKind> ALL = List.of(
            new ResourceKind(
                    "region",
                    "regions",
                    "v1/regions",
                    "v1/regions/{name}",
                    EVERYTHING,
                    List.of(),
                    List.of("name", "displayName", "createdAt", "version"),
                    List.of(Field.of("displayName", TEXT))),
            new ResourceKind(
                    "round-trip",
                    "round-trips",
                    "v1/regions/{region}/round-trips",
                    "v1/regions/{region}/round-trips/{name}",
                    Set.of("PUT"),
                    List.of(),
                    List.of("other", "region", "micros", "version"),
                    List.of(Field.of("micros", NUMBER))),
            new ResourceKind(
                    "cluster",
                    "clusters",
                    "v1/clusters",
                    "v1/clusters/{name}",
                    EVERYTHING,
                    List.of("region", "state"),
                    List.of("name", "region", "state", "updatedAt", "version"),
                    List.of(
                            Field.of("region", TEXT),
                            Field.of("state", TEXT),
                            Field.of("addresses", WORDS),
                            Field.of("advertisedAddress", TEXT))),
            JOIN_TOKEN,
            new ResourceKind(
                    "process",
                    "processes",
                    "v1/clusters/{cluster}/processes",
                    "v1/clusters/{cluster}/processes/{name}",
                    EVERYTHING,
                    List.of(),
                    List.of("name", "cluster", "address", "numaNode", "state", "version"),
                    List.of(Field.of("address", TEXT), Field.of("numaNode", NUMBER), Field.of("draining", FLAG))),
            new ResourceKind(
                    "tenant",
                    "tenants",
                    "v1/tenants",
                    "v1/tenants/{name}",
                    EVERYTHING,
                    List.of("state"),
                    List.of("name", "displayName", "state", "updatedAt", "version"),
                    List.of(Field.of("displayName", TEXT), Field.of("state", TEXT))),
            KEY,
            new ResourceKind(
                    "account",
                    "accounts",
                    "v1/accounts",
                    "v1/accounts/{name}",
                    EVERYTHING,
                    List.of("tenant", "region", "state"),
                    List.of("resourceName", "tenant", "homeRegion", "state", "ready", "version"),
                    List.of(
                            Field.of("tenant", TEXT),
                            Field.of("homeRegion", TEXT),
                            Field.of("allowedRegions", WORDS),
                            Field.of("avoidedRegions", WORDS),
                            Field.of("readThrough.from", TEXT),
                            Field.of("readThrough.withinMillis", NUMBER),
                            Field.of("maxOfflineSeconds", NUMBER),
                            Field.ofReplica("region", TEXT),
                            Field.ofReplica("endpoint", TEXT),
                            Field.ofReplica("container", TEXT),
                            Field.ofReplica("credential", TEXT),
                            Field.ofReplica("createContainer", FLAG),
                            Field.ofReplica("vouched", FLAG))),
            new ResourceKind(
                    "limits",
                    "limits",
                    null,
                    "v1/accounts/{name}/limits",
                    Set.of("PUT"),
                    List.of(),
                    List.of("resourceName"),
                    List.of(Field.of("operations", NUMBER), Field.of("bytesPerSecond", NUMBER))),
            GRANT,
            new ResourceKind(
                    "placement",
                    "placements",
                    "v1/accounts/{account}/placements",
                    "v1/accounts/{account}/placements/{name}",
                    Set.of("PUT", "PATCH", "DELETE"),
                    List.of(),
                    List.of("region", "resourceName", "cluster", "pinned", "automatic", "version"),
                    List.of(Field.of("cluster", TEXT), Field.of("pinned", FLAG))),
            new ResourceKind(
                    "warming",
                    "warmings",
                    "v1/warmings",
                    "v1/warmings/{name}",
                    Set.of("GET"),
                    List.of("account", "state"),
                    List.of("id", "resourceName", "from", "to", "state", "rate", "eta", "createdAt"),
                    List.of()),
            new ResourceKind(
                    "purge",
                    "purges",
                    "v1/purges",
                    "v1/purges/{name}",
                    Set.of("GET"),
                    List.of("account", "state"),
                    List.of("id", "resourceName", "partition", "block", "key", "state", "deleted", "createdAt"),
                    List.of()),
            new ResourceKind(
                    "audit",
                    "audit",
                    "v1/audit",
                    null,
                    Set.of(),
                    List.of("tenant", "kind", "name", "actor"),
                    List.of("id", "at", "actor", "role", "action", "kind", "name", "tenant"),
                    List.of()),
            new ResourceKind(
                    "refusal",
                    "refusals",
                    "v1/refusals",
                    null,
                    Set.of(),
                    List.of("tenant", "actor"),
                    List.of("id", "at", "actor", "role", "tenant", "what", "reason"),
                    List.of()));

    /**
     * The kind with this word, in the singular or the plural.
     *
     * @throws IllegalArgumentException if no kind has this word
     */
    static ResourceKind of(String word) {
        return ALL.stream()
                .filter(kind -> kind.name.equals(word) || kind.plural.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no kind \"" + word + "\"; the kinds are "
                        + ALL.stream().map(ResourceKind::name).collect(Collectors.joining(", "))));
    }

    /**
     * Checks that a resource of this kind takes a method.
     *
     * @throws IllegalArgumentException if it does not
     */
    void require(String method, String verb) {
        if (!methods.contains(method)) {
            throw new IllegalArgumentException("there is no " + verb + " for " + plural + "; it is there for "
                    + ALL.stream()
                            .filter(kind -> kind.methods.contains(method))
                            .map(ResourceKind::name)
                            .collect(Collectors.joining(", ")));
        }
    }
}
