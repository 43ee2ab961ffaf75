package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.azurite.Azurite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The container of a stack's Azurite, as its owner uses it behind the service's back. Signs with Azurite's public key.
 */
record AzuriteContainer(HttpClient client, URI container) implements AutoCloseable {
    private static final String VERSION = "2021-12-02";
    private static final int BLANK_HEADERS = 11;

    /** The container that the accounts file of a stack without a control plane names. */
    static AzuriteContainer of(Path stack) throws IOException {
        JsonNode storage = new ObjectMapper()
                .readTree(stack.resolve("accounts.json").toFile())
                .at("/tenants/0/accounts/0/storage");
        return new AzuriteContainer(
                HttpClient.newHttpClient(),
                URI.create(storage.get("endpoint").asText() + "/"
                        + storage.get("container").asText()));
    }

    /** Deletes it with all blobs, and creates it again. */
    void makeAnew() throws Exception {
        require(202, call("DELETE", "", "?restype=container", "\nrestype:container"));
        require(201, call("PUT", "", "?restype=container", "\nrestype:container"));
    }

    boolean exists(String blob) throws Exception {
        return call("HEAD", "/" + blob, "", "") == 200;
    }

    private static void require(int expected, int status) throws IOException {
        if (status != expected) {
            throw new IOException("Azurite answered " + status + ", not " + expected);
        }
    }

    private int call(String method, String blob, String query, String canonicalQuery) throws Exception {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        URI url = URI.create(container + blob + query);
        // The emulator's account stands in the path, so it comes twice.
        String signed = method + "\n".repeat(BLANK_HEADERS) + "\nx-ms-date:" + date + "\nx-ms-version:" + VERSION
                + "\n/" + Azurite.ACCOUNT + url.getPath() + canonicalQuery;
        HttpRequest request = HttpRequest.newBuilder(url)
                .method(method, BodyPublishers.noBody())
                .header("x-ms-date", date)
                .header("x-ms-version", VERSION)
                .header("Authorization", "SharedKey " + Azurite.ACCOUNT + ":" + signature(signed))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    private static String signature(String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(Azurite.ACCOUNT_KEY), "HmacSHA256"));
        return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    }

    @Override
    public void close() {
        client.close();
    }
}
