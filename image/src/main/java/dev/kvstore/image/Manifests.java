package dev.kvstore.image;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.cloud.tools.jib.image.json.ManifestTemplate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Manifests of the OCI image format that Jib has no type for. */
final class Manifests {
    static final String IMAGE = "application/vnd.oci.image.manifest.v1+json";
    static final String EMPTY = "application/vnd.oci.empty.v1+json";

    private Manifests() {}

    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Descriptor(
            String mediaType,
            String digest,
            long size,
            @Nullable Map<String, String> platform) {}

    /** The images of one name, one for each architecture. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY, getterVisibility = JsonAutoDetect.Visibility.NONE)
    static final class ImageIndex implements ManifestTemplate {
        private final int schemaVersion = 2;
        private final String mediaType = "application/vnd.oci.image.index.v1+json";
        private final List<Descriptor> manifests;

        ImageIndex(List<Descriptor> manifests) {
            this.manifests = List.copyOf(manifests);
        }

        @Override
        public int getSchemaVersion() {
            return schemaVersion;
        }

        @Override
        public String getManifestMediaType() {
            return mediaType;
        }

        @Override
        public String toString() {
            return manifests.toString();
        }
    }

    /** A file that belongs to an image and is found by it. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY, getterVisibility = JsonAutoDetect.Visibility.NONE)
    static final class Attached implements ManifestTemplate {
        private final int schemaVersion = 2;
        private final String mediaType = IMAGE;
        private final String artifactType;
        private final Descriptor config;
        private final List<Descriptor> layers;
        private final Descriptor subject;

        Attached(String artifactType, Descriptor config, Descriptor content, Descriptor subject) {
            this.artifactType = artifactType;
            this.config = config;
            this.layers = List.of(content);
            this.subject = subject;
        }

        @Override
        public int getSchemaVersion() {
            return schemaVersion;
        }

        @Override
        public String getManifestMediaType() {
            return mediaType;
        }

        @Override
        public String toString() {
            return artifactType + config + layers + subject;
        }
    }
}
