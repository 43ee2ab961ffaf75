package dev.kvstore.image;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Builds an image of the layers.
 *
 * @param base an image with a C library; empty for none
 * @param revision the commit that the image names
 * @param created the time that the image names
 * @param caches the folder where Jib keeps layers
 */
record ImageBuilder(Optional<String> base, String revision, Instant created, Path caches, boolean insecure) {
    /** The user by number, which needs no name in the image and which no base image has. */
    private static final String USER = "10001:10001";

    JibContainer build(
            ImageKind kind, Architecture architecture, List<FileEntriesLayer> layers, boolean cached, Containerizer to)
            throws IOException, InterruptedException, ExecutionException, RegistryException,
                    InvalidImageReferenceException, CacheDirectoryCreationException {
        Map<String, String> labels = new TreeMap<>(Map.of(
                "org.opencontainers.image.title",
                kind.title,
                "org.opencontainers.image.version",
                Version.text(),
                "org.opencontainers.image.revision",
                revision,
                "org.opencontainers.image.licenses",
                "Apache-2.0",
                "org.opencontainers.image.vendor",
                "KV Store",
                "dev.kvstore.sbom",
                ImageLayers.HOME + "sbom.cdx.json"));
        return (base.isPresent() ? Jib.from(RegistryImage.named(base.get())) : Jib.fromScratch())
                .setFormat(ImageFormat.OCI)
                .setPlatforms(Set.of(new Platform(architecture.toString(), "linux")))
                .setCreationTime(created)
                .setUser(USER)
                .setLabels(labels)
                .setExposedPorts(kind.ports().stream().map(Port::tcp).collect(Collectors.toSet()))
                .setEntrypoint(ImageLayers.entrypoint(kind, cached))
                .setProgramArguments(List.of())
                .setFileEntriesLayers(layers)
                .containerize(to.setApplicationLayersCache(caches)
                        .setBaseImageLayersCache(caches)
                        .setAllowInsecureRegistries(insecure)
                        .setToolName("kv image"));
    }
}
