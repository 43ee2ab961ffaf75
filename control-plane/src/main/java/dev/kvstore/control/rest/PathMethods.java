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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The methods that each path of the admin API has, read from its OpenAPI document. The HTTP server itself would name
 * the methods of all paths of a resource class for each of them. Immutable.
 */
final class PathMethods {
    /** The path at which the build puts the OpenAPI document. */
    private static final String DOCUMENT = "META-INF/quarkus-generated-openapi-doc.JSON";

    private static final Pattern PARAMETER = Pattern.compile("\\{[^}]+}");

    /** Methods as an OpenAPI document spells them. */
    private static final Set<String> NAMES = Set.of("get", "put", "post", "delete", "patch");

    private record Path(Pattern pattern, Set<String> methods) {}

    private final List<Path> paths;

    private PathMethods(List<Path> paths) {
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
        List<Path> paths = new ArrayList<>();
        document.path("paths").properties().forEach(path -> {
            Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
            path.getValue().properties().forEach(operation -> {
                if (NAMES.contains(operation.getKey())) {
                    methods.add(operation.getKey().toUpperCase(Locale.ROOT));
                }
            });
            if (methods.contains("GET")) {
                methods.add("HEAD");
            }
            String pattern = PARAMETER.matcher(path.getKey()).replaceAll("[^/]+");
            paths.add(new Path(Pattern.compile(pattern + "/?"), methods));
        });
        // A path without parameters goes before one with parameters.
        paths.sort(Comparator.comparing(path -> path.pattern().pattern().contains("[^/]+")));
        return new PathMethods(paths);
    }

    /** The methods of a path, in alphabetical order; empty if the API has no such path. */
    Optional<Set<String>> of(String path) {
        return paths.stream()
                .filter(known -> known.pattern().matcher(path).matches())
                .findFirst()
                .map(Path::methods);
    }
}
