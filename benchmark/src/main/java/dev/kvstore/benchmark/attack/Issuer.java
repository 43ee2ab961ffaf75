package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** An OIDC issuer on this machine, whose tokens the control plane under attack believes. Thread-safe. */
final class Issuer implements AutoCloseable {
    private static final String KEY_ID = "attack";
    private static final int KEY_BITS = 2_048;
    private static final Duration VALIDITY = Duration.ofHours(2);

    private final KeyPair keys;
    private final HttpServer http;
    private final String url;

    private Issuer(KeyPair keys, HttpServer http) {
        this.keys = keys;
        this.http = http;
        this.url = "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** Starts one, on a free port. */
    static Issuer start() throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            Issuer issuer = new Issuer(generator.generateKeyPair(), http);
            http.createContext(
                    "/.well-known/openid-configuration", exchange -> answer(exchange, """
                    {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "token_endpoint": "%1$s/token"}""".formatted(issuer.url)));
            http.createContext("/keys", exchange -> answer(exchange, issuer.jwks()));
            http.start();
            return issuer;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Flags for the java of a control plane that is to believe it. */
    List<String> flags() {
        return List.of("-Dkvstore.oidc.enabled=true", "-Dkvstore.oidc.issuer=" + url);
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    private String jwks() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return """
                {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "%s", "n": "%s", "e": "%s"}]}""".formatted(
                        KEY_ID,
                        text(key.getModulus().toByteArray()),
                        text(key.getPublicExponent().toByteArray()));
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A token of somebody with a role in one tenant, or in all of them for {@code *}. */
    String token(String role, String tenant) {
        String header = """
                {"alg": "RS256", "typ": "JWT", "kid": "%s"}""".formatted(KEY_ID);
        Instant now = Instant.now();
        String payload = """
                {"iss": "%s", "aud": "kvstore", "sub": "%s", "upn": "%s@example.net", "iat": %d, "exp": %d,
                 "groups": ["%s"], "kvstore_tenant": "%s"}""".formatted(
                url, role, role, now.getEpochSecond(), now.plus(VALIDITY).getEpochSecond(), role, tenant);
        String signed = text(header.getBytes(UTF_8)) + "." + text(payload.getBytes(UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(UTF_8));
            return signed + "." + text(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
