package dev.kvstore.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
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
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An OIDC issuer whose tokens the application under test believes. */
public final class TestIssuer implements QuarkusTestResourceLifecycleManager {
    private static final String KEY_ID = "k1";
    private static final KeyPair KEYS = keys();
    private static final Duration LONG_AGO = Duration.ofHours(-1);

    @SuppressWarnings("NullAway.Init")
    private static volatile String issuer;

    private @Nullable HttpServer server;

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, String> start() {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server = http;
            issuer = "http://127.0.0.1:" + http.getAddress().getPort();
            http.createContext(
                    "/.well-known/openid-configuration", exchange -> answer(exchange, """
                    {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "token_endpoint": "%1$s/token"}""".formatted(issuer)));
            http.createContext("/keys", exchange -> answer(exchange, jwks()));
            http.start();
        } catch (IOException e) {
            throw new IllegalStateException("the issuer cannot be started", e);
        }
        return Map.of("kvstore.oidc.enabled", "true", "kvstore.oidc.issuer", issuer);
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    private static String jwks() {
        RSAPublicKey key = (RSAPublicKey) KEYS.getPublic();
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

    /** A token of somebody with these roles; of one tenant, if it is not null. */
    public static String token(List<String> roles, @Nullable String tenant) {
        return token(KEYS, issuer, "kvstore", LONG_AGO, Duration.ofMinutes(10), roles, tenant);
    }

    /** One that has ended. */
    public static String expired(List<String> roles) {
        return token(KEYS, issuer, "kvstore", LONG_AGO, Duration.ofMinutes(-10), roles, null);
    }

    /** One that has just begun, by an issuer whose clock goes ahead of this machine's by so much. */
    public static String ofIssuerAhead(Duration ahead, List<String> roles) {
        return token(KEYS, issuer, "kvstore", ahead, ahead.plusMinutes(10), roles, null);
    }

    /** One that ended so long ago. */
    public static String ended(Duration ago, List<String> roles) {
        return token(KEYS, issuer, "kvstore", LONG_AGO, ago.negated(), roles, null);
    }

    /** One of a person of this name. */
    public static String named(String name, List<String> roles) {
        return token(KEYS, issuer, "kvstore", name, LONG_AGO, Duration.ofMinutes(10), roles, null);
    }

    /** One that somebody else has signed. */
    public static String forged(List<String> roles) {
        return token(keys(), issuer, "kvstore", LONG_AGO, Duration.ofMinutes(10), roles, null);
    }

    /** One that is meant for another service. */
    public static String forAnother(List<String> roles) {
        return token(KEYS, issuer, "other", LONG_AGO, Duration.ofMinutes(10), roles, null);
    }

    private static String token(
            KeyPair keys,
            String issuer,
            String audience,
            Duration begin,
            Duration end,
            List<String> roles,
            @Nullable String tenant) {
        return token(keys, issuer, audience, "somebody@example.net", begin, end, roles, tenant);
    }

    private static String token(
            KeyPair keys,
            String issuer,
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
                        issuer,
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
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(UTF_8));
            return signed + "." + text(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop(0);
        }
    }
}
