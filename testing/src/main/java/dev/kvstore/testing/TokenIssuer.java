package dev.kvstore.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An OIDC issuer on a free port of this machine, for a control plane that trusts it. Thread-safe. */
public final class TokenIssuer implements AutoCloseable {
    /** The audience of a control plane. */
    public static final String AUDIENCE = "kvstore";

    private static final String KEY_ID = "k1";
    private static final String NAME = "somebody@example.net";
    private static final Duration LONG_AGO = Duration.ofHours(-1);
    private static final Duration SOON = Duration.ofMinutes(10);

    private final KeyPair keys = keys();
    private final HttpServer server;
    private final String url;

    private TokenIssuer(HttpServer server) {
        this.server = server;
        this.url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Starts an issuer. */
    public static TokenIssuer start() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TokenIssuer issuer = new TokenIssuer(http);
        http.createContext(
                "/.well-known/openid-configuration", exchange -> answer(exchange, """
                {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "token_endpoint": "%1$s/token"}""".formatted(issuer.url)));
        http.createContext("/keys", exchange -> answer(exchange, issuer.jwks()));
        http.start();
        return issuer;
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
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
                {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "%s", "n": "%s", "e": "%s"}]}""".formatted(KEY_ID, number(key.getModulus()), number(key.getPublicExponent()));
    }

    private static String number(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return text(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The issuer's address, which tokens name. */
    public String url() {
        return url;
    }

    /** A token of a user with these roles, of one tenant if it is not null. */
    public String token(List<String> roles, @Nullable String tenant) {
        return token(keys, AUDIENCE, NAME, LONG_AGO, SOON, roles, tenant);
    }

    /** A token of a user with this name. */
    public String named(String name, List<String> roles) {
        return token(keys, AUDIENCE, name, LONG_AGO, SOON, roles, null);
    }

    /** A token that is valid between two moments, counted from now. */
    public String valid(Duration begin, Duration end, List<String> roles) {
        return token(keys, AUDIENCE, NAME, begin, end, roles, null);
    }

    /** A token that another key has signed. */
    public String forged(List<String> roles) {
        return token(keys(), AUDIENCE, NAME, LONG_AGO, SOON, roles, null);
    }

    /** A token for another service. */
    public String forAnother(List<String> roles) {
        return token(keys, "other", NAME, LONG_AGO, SOON, roles, null);
    }

    private String token(
            KeyPair signing,
            String audience,
            String name,
            Duration begin,
            Duration end,
            List<String> roles,
            @Nullable String tenant) {
        String header = """
                {"alg": "RS256", "typ": "JWT", "kid": "%s"}""".formatted(KEY_ID);
        Instant now = Instant.now();
        String groups = roles.stream().map(role -> '"' + role + '"').collect(Collectors.joining(", "));
        String payload = """
                {"iss": "%s", "aud": "%s", "sub": "somebody", "upn": "%s", "iat": %d, "nbf": %d, "exp": %d,
                 "groups": [%s]%s}""".formatted(
                        url,
                        audience,
                        name,
                        now.plus(begin).getEpochSecond(),
                        now.plus(begin).getEpochSecond(),
                        now.plus(end).getEpochSecond(),
                        groups,
                        tenant == null ? "" : ", \"kvstore_tenant\": \"" + tenant + "\"");
        String signed = text(header.getBytes(UTF_8)) + "." + text(payload.getBytes(UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(signing.getPrivate());
            signature.update(signed.getBytes(UTF_8));
            return signed + "." + text(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
