package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * An image as {@code kv image --tar} writes it.
 *
 * @param layout its archive, unpacked
 */
record OciImage(Path layout) {
    /** Unpacks an archive beside itself, once. */
    static OciImage open(Path archive) throws IOException, InterruptedException {
        Path layout = archive.resolveSibling(archive.getFileName() + ".oci");
        if (!Files.exists(layout)) {
            untar(archive, Files.createDirectories(layout));
        }
        return new OciImage(layout);
    }

    private JsonNode manifest() throws IOException {
        return blob(json(layout.resolve("index.json")).at("/manifests/0"));
    }

    /** The image's description of itself. */
    JsonNode config() throws IOException {
        return blob(manifest().path("config"));
    }

    List<String> entrypoint() throws IOException {
        return config().at("/config/Entrypoint")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    /** Bytes that a registry keeps and a node fetches. */
    long bytes() throws IOException {
        return manifest()
                .path("layers")
                .valueStream()
                .mapToLong(layer -> layer.path("size").asLong())
                .sum();
    }

    /** The image's file system, made once. */
    Path root() throws IOException, InterruptedException {
        Path root = layout.resolveSibling(layout.getFileName() + ".root");
        if (!Files.exists(root)) {
            Files.createDirectories(root);
            for (JsonNode layer : manifest().path("layers")) {
                untar(file(layer), root);
            }
        }
        return root;
    }

    private static void untar(Path archive, Path to) throws IOException, InterruptedException {
        String said = GoTool.run(
                to, Map.of(), List.of("tar", "--warning=no-unknown-keyword", "-xf", archive.toString(), "-C", "."));
        assertThat(said).isEmpty();
    }

    private JsonNode blob(JsonNode descriptor) throws IOException {
        return json(file(descriptor));
    }

    private Path file(JsonNode descriptor) {
        return layout.resolve("blobs")
                .resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    static JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }
}
