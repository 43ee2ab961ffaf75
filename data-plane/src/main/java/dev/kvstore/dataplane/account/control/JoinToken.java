package dev.kvstore.dataplane.account.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** What a data plane proves to the control plane with that it is one. A secret: never in a flag, a setting or a log. */
public record JoinToken(String secret) {
    /** The environment variable it is in, unless it is in a file. */
    public static final String VARIABLE = "KVSTORE_JOIN_TOKEN";

    /**
     * The token in a file, or in the environment.
     *
     * @throws IllegalArgumentException if it is in neither or both, or is none
     */
    public static JoinToken read(Optional<Path> file, Map<String, String> environment) {
        String given = environment.get(VARIABLE);
        if (file.isPresent() == (given != null)) {
            throw new IllegalArgumentException(
                    file.isPresent()
                            ? "--join-token-file: " + VARIABLE + " is set too; give one of them"
                            : "--control-plane: needs a join token; set " + VARIABLE + " or give --join-token-file");
        }
        String from = file.isPresent() ? "--join-token-file: " + file.get() : VARIABLE + ":";
        String token = (given == null ? content(file.orElseThrow()) : given).strip();
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    from + " must hold the join token: visible ASCII characters without spaces");
        }
        return new JoinToken(token);
    }

    private static String content(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new IllegalArgumentException("--join-token-file: " + file + " cannot be read");
        }
    }

    /** A key for one purpose, from which neither the token nor a key for another purpose can be had. */
    public SecretKey derive(String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            return new SecretKeySpec(mac.doFinal(purpose.getBytes(UTF_8)), "HmacSHA256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "JoinToken";
    }
}
