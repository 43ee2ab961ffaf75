package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.List;
import java.util.Map;

/**
 * Reads one resource by its name, or from its list if REST has only a list of its kind.
 *
 * @param call the request for the resource, or for its list
 */
record ItemReader(ResourceKind kind, String name, RestRequest call) {
    /** The HTTP status for a resource that does not exist. */
    static final int NOT_FOUND = 404;

    /**
     * Makes a reader, without sending a request.
     *
     * @param given the flags that name the owner; the used ones are removed
     * @throws IllegalArgumentException if the name is missing, a flag is missing, or a flag has no meaning here
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
     * Requests the resource.
     *
     * @throws AdminException if there is none, or if it cannot be read
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
