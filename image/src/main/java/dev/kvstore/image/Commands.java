package dev.kvstore.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs programs of a JDK to their end. Stateless. */
final class Commands {
    private Commands() {}

    /** @throws ImageException if it fails, with its output */
    static void run(String what, List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("kv-image-", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(said.toFile());
            builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
            if (builder.start().waitFor() != 0) {
                throw new ImageException(
                        what + " failed: " + Files.readString(said).strip());
            }
        } finally {
            Files.delete(said);
        }
    }
}
