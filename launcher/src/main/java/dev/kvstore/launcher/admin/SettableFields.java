package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.rest.AdminException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Separates the fields that an admin sets from those that only the control plane sets; {@code get} shows both. */
final class SettableFields {
    private SettableFields() {}

    /** Whether a file has a field that a PUT does not take, like the output of {@code get --json}. */
    static boolean isShown(ResourceKind kind, ObjectNode file) {
        return !file.equals(only(names(kind, false), file))
                || file.path(Body.REPLICAS).valueStream().anyMatch(replica -> !replica.equals(replica(kind, replica)));
    }

    /**
     * The body of a PUT from the output of {@code get --json}, edited or not.
     *
     * @param current the resource now
     * @throws AdminException if the file has another value than the resource for a field that no PUT sets
     */
    static ObjectNode of(ResourceKind kind, ObjectNode file, JsonNode current) {
        requireSame("", only(names(kind, false), file), file, current);
        ObjectNode body = only(names(kind, false), file);
        if (file.get(Body.REPLICAS) instanceof ArrayNode replicas) {
            ArrayNode settable = body.putArray(Body.REPLICAS);
            for (int i = 0; i < replicas.size(); i++) {
                JsonNode known = current.path(Body.REPLICAS).path(i);
                ObjectNode replica = replica(kind, replicas.path(i));
                requireSame(Body.REPLICAS + "[" + i + "].", replica, replicas.path(i), known);
                settable.add(replica);
            }
        }
        return body;
    }

    private static void requireSame(String place, ObjectNode settable, JsonNode file, JsonNode current) {
        for (Map.Entry<String, JsonNode> field : file.properties()) {
            String name = field.getKey();
            if (!settable.has(name) && !field.getValue().equals(current.path(name))) {
                throw new AdminException(
                        0,
                        place + name
                                + ": cannot be set, and the file has another value than the control plane, which has "
                                + (current.has(name) ? current.path(name) : "none")
                                + ": take the field out of the file, or get the resource again");
            }
        }
    }

    /**
     * All replicas of an account with one of them changed.
     *
     * @param known the account, as {@code get} shows it
     * @param change the fields of the changed replica; {@code region} names it
     * @throws AdminException if the account has no such replica, or several and none is named
     */
    static ArrayNode replicas(ResourceKind kind, String account, JsonNode known, JsonNode change) {
        ArrayNode replicas = JsonNodeFactory.instance.arrayNode();
        int changed = 0;
        for (JsonNode shown : known.path(Body.REPLICAS)) {
            ObjectNode replica = replica(kind, shown);
            boolean named = change.has("region")
                    ? change.path("region").equals(shown.path("region"))
                    : known.path(Body.REPLICAS).size() == 1;
            if (named) {
                change.properties().forEach(field -> replica.set(field.getKey(), field.getValue()));
                changed++;
            }
            replicas.add(replica);
        }
        if (changed == 0) {
            throw new AdminException(
                    0,
                    "region=R must name one of the replicas of " + account + ", which are in "
                            + known.path(Body.REPLICAS)
                                    .valueStream()
                                    .map(replica -> replica.path("region").asText())
                                    .collect(Collectors.joining(", "))
                            + "; kv admin put --file adds one");
        }
        return replicas;
    }

    private static ObjectNode replica(ResourceKind kind, JsonNode shown) {
        return only(names(kind, true), shown);
    }

    /** The fields with these names that have a value: null and an empty list count as no field. */
    private static ObjectNode only(Set<String> names, JsonNode shown) {
        ObjectNode part = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : shown.properties()) {
            JsonNode value = field.getValue();
            boolean none = value.isNull() || (value.isArray() && value.isEmpty());
            if (names.contains(field.getKey()) && !none) {
                part.set(field.getKey(), value);
            }
        }
        return part;
    }

    /** The names of the outer fields, without inner ones. */
    private static Set<String> names(ResourceKind kind, boolean ofReplica) {
        Set<String> names = kind.fields().stream()
                .filter(field -> field.ofReplica() == ofReplica)
                .map(field -> field.name().replaceFirst("\\..*", ""))
                .collect(Collectors.toSet());
        if (!ofReplica && kind.fields().stream().anyMatch(Field::ofReplica)) {
            names.add(Body.REPLICAS);
        }
        return names;
    }
}
