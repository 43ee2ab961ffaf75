package dev.kvstore.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The folder of temporary files, into which Netty unpacks its native libraries. Stateless. */
public final class TemporaryFolder {
    private TemporaryFolder() {}

    /**
     * The reason why this JVM's temporary folder cannot be used, the consequence, and the way out, in one sentence;
     * empty if it can be used.
     */
    public static Optional<String> flaw() {
        return flaw(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static Optional<String> flaw(Path folder) {
        try {
            Files.delete(Files.createTempFile(folder, "kvstore-", ".try"));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    folder + " cannot be written, so network and TLS run without their native libraries, slower;"
                            + " mount a writable folder there (in Kubernetes an emptyDir), or name another with"
                            + " -Djava.io.tmpdir");
        }
    }
}
