package dev.kvstore.image;

import com.google.cloud.tools.jib.api.Credential;
import com.google.cloud.tools.jib.api.CredentialRetriever;
import com.google.cloud.tools.jib.api.DescriptorDigest;
import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.blob.Blobs;
import com.google.cloud.tools.jib.event.EventHandlers;
import com.google.cloud.tools.jib.frontend.CredentialRetrieverFactory;
import com.google.cloud.tools.jib.http.FailoverHttpClient;
import com.google.cloud.tools.jib.image.json.ManifestTemplate;
import com.google.cloud.tools.jib.json.JsonTemplateMapper;
import com.google.cloud.tools.jib.registry.ManifestAndDigest;
import com.google.cloud.tools.jib.registry.RegistryClient;
import dev.kvstore.image.Manifests.Descriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One repository: what Jib does not push, the index over architectures and bills of materials. Uses Docker's
 * credentials.
 */
final class Registry {
    private static final byte[] NOTHING = {'{', '}'};

    private final ImageReference reference;
    private final RegistryClient client;

    Registry(String repository, String tag, boolean insecure) throws IOException {
        try {
            reference = ImageReference.parse(repository + ":" + tag);
            RegistryClient.Factory factory = RegistryClient.factory(
                    EventHandlers.NONE,
                    reference.getRegistry(),
                    reference.getRepository(),
                    new FailoverHttpClient(insecure, false, _ -> {}));
            Credential credential = credential();
            if (credential != null) {
                factory.setCredential(credential);
            }
            client = factory.newRegistryClient();
            if (!client.doPushBearerAuth() && credential != null) {
                client.configureBasicAuth();
            }
        } catch (InvalidImageReferenceException e) {
            throw new ImageException("--push: " + repository + ":" + tag + " is no image's name", e);
        } catch (RegistryException e) {
            throw new ImageException("--push: " + repository + " cannot be reached: " + e.getMessage(), e);
        }
    }

    /** The image that Jib pushes to. */
    RegistryImage image(String suffix) {
        return RegistryImage.named(ImageReference.of(
                        reference.getRegistry(),
                        reference.getRepository(),
                        reference.getTag().orElse("latest") + suffix))
                .addCredentialRetriever(retriever());
    }

    private CredentialRetriever retriever() {
        return CredentialRetrieverFactory.forImage(reference, _ -> {}).dockerConfig();
    }

    private @Nullable Credential credential() {
        try {
            return retriever().retrieve().orElse(null);
        } catch (Exception e) {
            throw new ImageException("--push: Docker's credentials cannot be read: " + e.getMessage(), e);
        }
    }

    /** The descriptor by which others refer to a pushed manifest. */
    Descriptor describe(DescriptorDigest digest, Architecture architecture) throws IOException {
        try {
            ManifestAndDigest<ManifestTemplate> pushed =
                    client.checkManifest(digest.toString()).orElseThrow();
            byte[] bytes = JsonTemplateMapper.toByteArray(pushed.getManifest());
            if (!digest(bytes).equals(digest.toString())) {
                throw new ImageException("--push: the registry has another manifest than was pushed");
            }
            // In one order in every process, for the digest of the index.
            Map<String, String> platform =
                    new TreeMap<>(Map.of("architecture", architecture.toString(), "os", "linux"));
            return new Descriptor(Manifests.IMAGE, digest.toString(), bytes.length, platform);
        } catch (RegistryException e) {
            throw failed(e);
        }
    }

    /** Attaches a bill of materials to an image. */
    void attach(Descriptor image, byte[] sbom) throws IOException {
        Descriptor subject = new Descriptor(image.mediaType(), image.digest(), image.size(), null);
        Descriptor config = push(Manifests.EMPTY, NOTHING);
        push(new Manifests.Attached(Sbom.MEDIA_TYPE, config, push(Sbom.MEDIA_TYPE, sbom), subject), null);
    }

    /** Gives the images of all architectures one name; the digest of that. */
    String index(List<Descriptor> images) throws IOException {
        return push(new Manifests.ImageIndex(images), reference.getTag().orElse("latest"));
    }

    private String push(ManifestTemplate manifest, @Nullable String tag) throws IOException {
        try {
            String digest = digest(JsonTemplateMapper.toByteArray(manifest));
            client.pushManifest(manifest, tag == null ? digest : tag);
            return digest;
        } catch (RegistryException e) {
            throw failed(e);
        }
    }

    private Descriptor push(String mediaType, byte[] content) throws IOException {
        String digest = digest(content);
        try {
            client.pushBlob(
                    DescriptorDigest.fromDigest(digest), Blobs.from(new ByteArrayInputStream(content)), null, _ -> {});
        } catch (RegistryException e) {
            throw failed(e);
        } catch (DigestException e) {
            throw new IllegalStateException(e);
        }
        return new Descriptor(mediaType, digest, content.length, null);
    }

    private ImageException failed(RegistryException e) {
        return new ImageException("--push: " + reference + " was refused: " + e.getMessage(), e);
    }

    private static String digest(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
