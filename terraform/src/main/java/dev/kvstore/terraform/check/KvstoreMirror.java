package dev.kvstore.terraform.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.terraform.MirrorCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import picocli.CommandLine;

/**
 * The provider kvstore of this checkout, built where Terraform finds it and built again when its source has changed.
 * Thread-safe; processes take turns.
 *
 * @param source of the provider
 * @param folder where the mirror lies; may be deleted
 */
record KvstoreMirror(Path source, Path folder) {
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    /**
     * Terraform's configuration file, by which it installs providers from the mirror alone.
     *
     * @throws LaunchException if the provider cannot be built, as where there is no Go
     */
    Path configuration() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path stamp = folder.resolve("built-of");
        Path configuration = folder.resolve("kv.tfrc");
        IN_PROCESS.lockInterruptibly();
        try (FileChannel channel = FileChannel.open(
                        folder.resolve("build.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            String wanted = fingerprint();
            if (!Files.exists(stamp) || !Files.readString(stamp).equals(wanted)) {
                build();
                // No provider comes from anywhere else: a missing provider is an error, and no request to a registry.
                Files.writeString(
                        configuration,
                        "provider_installation {\n  filesystem_mirror {\n    path = \"" + folder.resolve("mirror")
                                + "\"\n  }\n}\n");
                Files.writeString(stamp, wanted);
            }
        } finally {
            IN_PROCESS.unlock();
        }
        return configuration;
    }

    private void build() {
        CommandLine mirror = CommandLines.of(new MirrorCommand());
        StringWriter said = new StringWriter();
        mirror.setOut(new PrintWriter(said));
        mirror.setErr(new PrintWriter(said));
        if (mirror.execute(folder.resolve("mirror").toString()) != 0) {
            throw new LaunchException(
                    "the provider kvstore is not built: " + said.toString().strip());
        }
    }

    private String fingerprint() throws IOException {
        CRC32 sum = new CRC32();
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(file -> file.toString().matches(".*(\\.go|go\\.(mod|sum))$"))
                    .sorted()
                    .toList()) {
                sum.update(file.toString().getBytes(UTF_8));
                sum.update(Files.readAllBytes(file));
            }
        }
        return Long.toHexString(sum.getValue());
    }
}
