package dev.kvstore.image;

import com.fasterxml.jackson.annotation.JsonValue;
import com.google.cloud.tools.jib.api.Credential;
import com.google.cloud.tools.jib.api.CredentialRetriever;
import com.google.cloud.tools.jib.api.DescriptorDigest;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.blob.BlobDescriptor;
import com.google.cloud.tools.jib.blob.Blobs;
import com.google.cloud.tools.jib.event.EventHandlers;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import com.google.cloud.tools.jib.hash.Digests;
import com.google.cloud.tools.jib.http.FailoverHttpClient;
import com.google.cloud.tools.jib.image.json.ManifestTemplate;
import com.google.cloud.tools.jib.image.json.OciIndexTemplate;
import com.google.cloud.tools.jib.image.json.OciManifestTemplate;
import com.google.cloud.tools.jib.registry.RegistryClient;
import com.google.cloud.tools.jib.registry.credentials.CredentialRetrievalException;
import dev.kvstore.launcher.LaunchException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A repository. Pushes the index over architectures and the bills of materials, which Jib does not push. Uses Docker's
 * credentials.
 */
final class Registry {
    private static final byte[] NOTHING = {'{', '}'};

    private final ImageReference reference;
    private final CredentialRetriever credentials;
    private final RegistryClient client;

    Registry(String repository, String tag, boolean insecure)
            throws IOException, RegistryException, InvalidImageReferenceException, CredentialRetrievalException {
        reference = ImageReference.parse(repository + ":" + tag);
        credentials = CredentialRetrieverFactory.forImage(reference, _ -> {}).dockerConfig();
        RegistryClient.Factory factory = RegistryClient.factory(
                EventHandlers.NONE,
                reference.getRegistry(),
                reference.getRepository(),
                new FailoverHttpClient(insecure, false, _ -> {}));
        Optional<Credential> credential = credentials.retrieve();
        credential.ifPresent(factory::setCredential);
        client = factory.newRegistryClient();
        if (!client.doPushBearerAuth() && credential.isPresent()) {
            client.configureBasicAuth();
        }
    }

    /** The image to which Jib pushes. */
    RegistryImage image(Architecture architecture) {
        return RegistryImage.named(ImageReference.of(
                        reference.getRegistry(),
                        reference.getRepository(),
                        reference.getTag().orElse("latest") + "-" + architecture))
                .addCredentialRetriever(credentials);
    }

    /** The descriptor by which other manifests refer to a pushed image. */
    Map<String, Object> describe(DescriptorDigest digest) throws IOException, RegistryException {
        ManifestTemplate manifest = client.pullManifest(digest.toString()).getManifest();
        BlobDescriptor pushed = Digests.computeDigest(manifest);
        if (!pushed.getDigest().equals(digest)) {
            throw new LaunchException("--push: the registry has another manifest than was pushed");
        }
        return descriptor(OciManifestTemplate.MANIFEST_MEDIA_TYPE, pushed);
    }

    /** Attaches a bill of materials to an image. */
    void attach(Map<String, Object> image, byte[] sbom) throws IOException, RegistryException {
        PushedManifest attached = new PushedManifest(new TreeMap<>(Map.of(
                "schemaVersion",
                2,
                "mediaType",
                OciManifestTemplate.MANIFEST_MEDIA_TYPE,
                "artifactType",
                Sbom.MEDIA_TYPE,
                "config",
                push("application/vnd.oci.empty.v1+json", NOTHING),
                "layers",
                List.of(push(Sbom.MEDIA_TYPE, sbom)),
                "subject",
                image)));
        client.pushManifest(attached, Digests.computeJsonDigest(attached).toString());
    }

    /** Gives the images of all architectures one name, and returns the digest of their index. */
    DescriptorDigest index(Map<Architecture, Map<String, Object>> images) throws IOException, RegistryException {
        List<Map<String, Object>> manifests = images.entrySet().stream()
                .map(image -> {
                    Map<String, Object> manifest = new TreeMap<>(image.getValue());
                    manifest.put(
                            "platform",
                            new TreeMap<>(Map.of("architecture", image.getKey().toString(), "os", "linux")));
                    return manifest;
                })
                .toList();
        PushedManifest index = new PushedManifest(new TreeMap<>(
                Map.of("schemaVersion", 2, "mediaType", OciIndexTemplate.MEDIA_TYPE, "manifests", manifests)));
        return client.pushManifest(index, reference.getTag().orElse("latest"));
    }

    private Map<String, Object> push(String mediaType, byte[] content) throws IOException, RegistryException {
        BlobDescriptor blob = Digests.computeDigest(new ByteArrayInputStream(content));
        client.pushBlob(blob.getDigest(), Blobs.from(new ByteArrayInputStream(content)), null, _ -> {});
        return descriptor(mediaType, blob);
    }

    /** A descriptor, sorted like all maps of a manifest, so that each process writes the same bytes. */
    private static Map<String, Object> descriptor(String mediaType, BlobDescriptor blob) {
        return new TreeMap<>(
                Map.of("mediaType", mediaType, "digest", blob.getDigest().toString(), "size", blob.getSize()));
    }

    /** The JSON of an OCI manifest for which Jib has no type. */
    private record PushedManifest(@JsonValue Map<String, Object> json) implements ManifestTemplate {
        @Override
        public int getSchemaVersion() {
            return 2;
        }

        @Override
        public String getManifestMediaType() {
            return String.valueOf(json.get("mediaType"));
        }
    }
}
