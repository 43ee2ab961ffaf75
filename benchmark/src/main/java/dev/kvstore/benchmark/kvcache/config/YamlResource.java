package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The tables of this benchmark, files in YAML beside the classes that read them. Stateless. */
public final class YamlResource {
    private YamlResource() {}

    /** Reads a table, which the caller may change, from the package of a class. */
    public static ObjectNode read(Class<?> reader, String file) {
        try (InputStream in = Objects.requireNonNull(reader.getResourceAsStream(file), file)) {
            return (ObjectNode) new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
