package dev.kvstore.launcher.machine;

import dev.kvstore.launcher.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Files with secrets of a key vault. The programs follow these files, so a secret that was renewed in the vault needs
 * no restart. Only its owner may read a file (0600), and it is replaced as a whole. If a secret cannot be read, its
 * file stays as it is. One thread uses it.
 */
final class SecretFiles {
    /** The pause before a vault is asked again for a secret that could not be read. */
    static final Duration RETRY = Duration.ofSeconds(30);

    /** A source of secrets. */
    @FunctionalInterface
    interface SecretSource {
        String read(String secret) throws IOException, InterruptedException;
    }

    private final SecretSource source;
    private final Map<String, Path> files;
    private final Consumer<String> say;
    private final Map<String, String> written = new HashMap<>();
    private final Map<String, String> flaws = new HashMap<>();

    /**
     * @param files the files, by the names of their secrets
     * @param say takes a line about each file that was written, and about each new failure
     */
    SecretFiles(SecretSource source, Map<String, Path> files, Consumer<String> say) {
        this.source = source;
        this.files = Map.copyOf(files);
        this.say = say;
    }

    /**
     * Reads every secret, and writes the new ones.
     *
     * @return whether all could be read and written
     */
    boolean refresh() throws InterruptedException {
        boolean all = true;
        for (Map.Entry<String, Path> file : files.entrySet()) {
            all &= refresh(file.getKey(), file.getValue());
        }
        return all;
    }

    private boolean refresh(String secret, Path file) throws InterruptedException {
        try {
            String value = source.read(secret);
            if (!value.equals(written.get(secret))) {
                PrivateFile.write(file, value);
                written.put(secret, value);
                say.accept(file + " has the secret " + secret + " of now");
            }
            flaws.remove(secret);
            return true;
        } catch (IOException e) {
            String flaw = String.valueOf(e.getMessage());
            if (!flaw.equals(flaws.put(secret, flaw))) {
                say.accept(file + " stays as it is: " + flaw);
            }
            return false;
        }
    }
}
