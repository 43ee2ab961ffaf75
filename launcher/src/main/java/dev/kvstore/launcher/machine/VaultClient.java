package dev.kvstore.launcher.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Secrets of a key vault, read with an identity of this machine. One thread uses it.
 *
 * @see <a href="https://learn.microsoft.com/rest/api/keyvault/secrets/get-secret">Get Secret</a>
 */
final class VaultClient {
    /** The domains of key vaults in Azure's clouds; a token for one of them goes nowhere else. */
    private static final List<String> DOMAINS = List.of("vault.azure.net", "vault.azure.cn", "vault.usgovcloudapi.net");

    private static final Pattern NAME = Pattern.compile("[0-9a-zA-Z-]{1,127}");
    private static final String PKCS12 = "application/x-pkcs12";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    // A secret has 25 kB at most.
    private static final int MOST_BYTES = 256 * 1024;
    private static final int OK = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI vault;
    private final String audience;
    private final String clientId;
    private final AzureMetadata metadata;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /**
     * @param vault {@code https://NAME.vault.azure.net}
     * @param clientId the id of the identity that may read it; empty for the machine's only one
     * @throws IllegalArgumentException if {@code vault} is no address of a key vault
     */
    VaultClient(URI vault, String clientId, AzureMetadata metadata) {
        this.vault = vault;
        this.audience = "https://" + domain(vault);
        this.clientId = clientId;
        this.metadata = metadata;
    }

    private static String domain(URI vault) {
        String host = Optional.ofNullable(vault.getHost()).orElse("");
        boolean plain = vault.getRawPath().replace("/", "").isEmpty() && vault.getRawQuery() == null;
        if (plain && "https".equals(vault.getScheme())) {
            for (String domain : DOMAINS) {
                if (host.endsWith("." + domain)) {
                    return domain;
                }
            }
        }
        if (plain && isOwn(host)) {
            return DOMAINS.getFirst();
        }
        throw new IllegalArgumentException("--vault: " + vault
                + " is no key vault; give https://NAME.vault.azure.net, or one of another cloud of Azure");
    }

    /** Whether a host is an emulator on this machine. */
    private static boolean isOwn(String host) {
        return host.matches("[0-9.]+") && InetAddress.ofLiteral(host).isLoopbackAddress();
    }

    /** Whether a secret may have this name. */
    static boolean isName(String secret) {
        return NAME.matcher(secret).matches();
    }

    /**
     * The newest value of a secret, or the certificates and the key of a certificate, as PEM.
     *
     * @throws IOException if the secret cannot be read; the message names the secret and does not quote it
     */
    String read(String secret) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(vault.resolve("/secrets/" + secret + "?api-version=7.4"))
                .header("Authorization", "Bearer " + metadata.token(audience, clientId))
                .timeout(PATIENCE)
                .build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            String text = new String(body.readNBytes(MOST_BYTES), UTF_8);
            return switch (response.statusCode()) {
                case OK -> value(secret, text);
                case 401, 403 ->
                    throw new IOException("the secret " + secret + " of " + vault
                            + " may not be read by this machine's identity; give it the role Key Vault Secrets User");
                case 404 -> throw new IOException("there is no secret " + secret + " in " + vault);
                default ->
                    throw new IOException(vault + " answers " + response.statusCode() + " for the secret " + secret);
            };
        }
    }

    private String value(String secret, String text) throws IOException {
        try {
            JsonNode answer = JSON.readTree(text);
            if (answer.path("contentType").asText().equals(PKCS12)) {
                throw new IOException("the certificate " + secret + " of " + vault
                        + " is kept as PKCS#12; have its policy say the content type application/x-pem-file");
            }
            if (!answer.path("value").isTextual()) {
                throw new IOException(vault + " answers without a value for the secret " + secret);
            }
            return answer.path("value").asText();
        } catch (JsonProcessingException e) {
            // The exception itself would quote the answer.
            throw new IOException(vault + " answers with something that is no secret for " + secret);
        }
    }
}
