package dev.kvstore.dataplane.account.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.settings.SecretText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The secret by which a data plane proves its cluster to the control plane. Never in a flag, a setting or a log. */
public record JoinToken(String secret) {
    /** The environment variable of the token, unless a file has the token. */
    public static final String VARIABLE = "KVSTORE_JOIN_TOKEN";

    /**
     * The token in a file, or in the environment; empty if it is in neither.
     *
     * @throws IllegalArgumentException if it is in both, or the text is no token
     */
    public static Optional<JoinToken> read(Optional<Path> file, Map<String, String> environment) {
        String given = environment.get(VARIABLE);
        if (file.isEmpty() && given == null) {
            return Optional.empty();
        }
        if (file.isPresent() && given != null) {
            throw new IllegalArgumentException("--join-token-file: " + VARIABLE + " is set too; give one of them");
        }
        String from = file.isPresent() ? "--join-token-file: " + file.get() : VARIABLE + ":";
        String token = SecretText.of(given == null ? content(file.orElseThrow()) : given);
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    from + " must hold the join token: visible ASCII characters without spaces");
        }
        return Optional.of(new JoinToken(token));
    }

    private static String content(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new IllegalArgumentException("--join-token-file: " + file + " cannot be read");
        }
    }

    @Override
    public String toString() {
        return "JoinToken";
    }
}
