package dev.kvstore.control.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The methods that each path of the admin API has, and the query parameters of each, read from its OpenAPI document. The
 * HTTP server itself would name the methods of all paths of a resource class for each of them, and pass over a
 * parameter that it does not know. Immutable.
 */
final class PathMethods {
    /** The path at which the build puts the OpenAPI document. */
    private static final String DOCUMENT = "META-INF/quarkus-generated-openapi-doc.JSON";

    private static final Pattern PARAMETER = Pattern.compile("\\{[^}]+}");

    /** Methods as an OpenAPI document spells them. */
    private static final Set<String> NAMES = Set.of("get", "put", "post", "delete", "patch");

    /**
     * The methods of one path.
     *
     * @param parameters the names of the query parameters by method, in alphabetical order
     */
    record Methods(Pattern path, SortedMap<String, Set<String>> parameters) {
        /** The methods, in alphabetical order. */
        Set<String> names() {
            return parameters.keySet();
        }
    }

    private final List<Methods> paths;

    private PathMethods(List<Methods> paths) {
        this.paths = List.copyOf(paths);
    }

    /** The methods that this program serves. */
    static PathMethods ofThisProgram(ObjectMapper json) {
        try (InputStream document =
                Thread.currentThread().getContextClassLoader().getResourceAsStream(DOCUMENT)) {
            if (document == null) {
                throw new IllegalStateException("the build left no " + DOCUMENT);
            }
            return of(json.readTree(document));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static PathMethods of(JsonNode document) {
        List<Methods> paths = new ArrayList<>();
        document.path("paths").properties().forEach(path -> {
            SortedMap<String, Set<String>> methods = new TreeMap<>(Map.of("OPTIONS", Set.of()));
            path.getValue().properties().forEach(operation -> {
                if (NAMES.contains(operation.getKey())) {
                    methods.put(operation.getKey().toUpperCase(Locale.ROOT), parameters(operation.getValue()));
                }
            });
            Set<String> read = methods.get("GET");
            if (read != null) {
                methods.put("HEAD", read);
            }
            String pattern = PARAMETER.matcher(path.getKey()).replaceAll("[^/]+");
            paths.add(new Methods(Pattern.compile(pattern + "/?"), methods));
        });
        // A path without parameters goes before one with parameters.
        paths.sort(Comparator.comparing(path -> path.path().pattern().contains("[^/]+")));
        return new PathMethods(paths);
    }

    private static Set<String> parameters(JsonNode operation) {
        Set<String> names = new TreeSet<>();
        for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.path("in").asText().equals("query")) {
                names.add(parameter.path("name").asText());
            }
        }
        return names;
    }

    /** The methods of a path; empty if the API has no such path. */
    Optional<Methods> of(String path) {
        return paths.stream()
                .filter(known -> known.path().matcher(path).matches())
                .findFirst();
    }
}
