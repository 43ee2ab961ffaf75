package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * Reads one resource by its name, from its list where REST has only a list of its kind.
 *
 * @param call the resource, or the list that it is in
 */
record ItemReader(ResourceKind kind, String name, RestRequest call) {
    /** HTTP's status of a resource that is not there. */
    static final int NOT_FOUND = 404;

    /**
     * Asks nothing yet.
     *
     * @param given the flags that say whose it is; those that are used are taken out
     * @throws IllegalArgumentException if it has no name, a flag is missing, or a flag means nothing here
     */
    static ItemReader of(ResourceKind kind, String name, Map<String, String> given) {
        if (kind.item() == null || (kind.list() == null && !isAlone(kind))) {
            throw new IllegalArgumentException("one of " + kind.plural() + " cannot be shown by name");
        }
        if (isAlone(kind)) {
            given.put("name", name);
        }
        RestRequest call =
                RestRequest.get(ScopeFlags.path(String.valueOf(isAlone(kind) ? kind.item() : kind.list()), given));
        ScopeFlags.requireOnly(given, List.of(), kind);
        return new ItemReader(kind, name, call);
    }

    private static boolean isAlone(ResourceKind kind) {
        return kind.methods().contains("GET");
    }

    /**
     * Asks for it.
     *
     * @throws AdminException if there is none, or it cannot be had
     */
    JsonNode read(AdminClient client) throws InterruptedException {
        if (isAlone(kind)) {
            return client.send(call).accepted().body();
        }
        return client.list(call, Integer.MAX_VALUE).items().stream()
                .filter(item -> item.path(kind.columns().getFirst()).asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AdminException(NOT_FOUND, "there is no " + kind.name() + " " + name));
    }
}
