package dev.kvstore.launcher.azurite;

import dev.kvstore.launcher.Checkout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The pinned npm package, installed once below {@code target} of the checkout. */
final class AzuriteInstallation {
    private static final String LOCK_FILE = "package-lock.json";
    private static final List<String> FILES = List.of("package.json", LOCK_FILE, "end-with-parent.cjs");

    /** Some 400 small packages from a registry or npm's cache: half a minute where all is well. */
    private static final long INSTALL_MINUTES = 5;

    // The file lock keeps other processes out, this one the other threads of this process.
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    private final Path sources;
    private final Path folder;

    AzuriteInstallation(Path sources, Path folder) {
        this.sources = sources;
        this.folder = folder;
    }

    /** That of this checkout. */
    static AzuriteInstallation ofCheckout() throws IOException {
        Path home = Checkout.home();
        return new AzuriteInstallation(home.resolve("launcher/azurite"), home.resolve("target/azurite"));
    }

    /** The command that starts the blob service, after installing it if that was not done yet. */
    List<String> command() throws IOException, InterruptedException {
        install();
        return List.of(
                "node",
                "--require",
                folder.resolve("end-with-parent.cjs").toString(),
                folder.resolve("node_modules/azurite/dist/src/blob/main.js").toString());
    }

    private void install() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        IN_PROCESS.lockInterruptibly();
        try (FileChannel channel = FileChannel.open(
                        folder.resolve("install.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            Path stamp = folder.resolve("installed");
            String wanted = Files.readString(sources.resolve(LOCK_FILE));
            if (Files.exists(stamp) && Files.readString(stamp).equals(wanted)) {
                return;
            }
            for (String file : FILES) {
                Files.copy(sources.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            npmCi();
            Files.writeString(stamp, wanted);
        } finally {
            IN_PROCESS.unlock();
        }
    }

    private void npmCi() throws IOException, InterruptedException {
        Path log = folder.resolve("npm.log");
        Process npm = start(new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile()));
        try {
            if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
                throw new IOException("npm ci did not end within " + INSTALL_MINUTES + " minutes; see " + log);
            }
        } finally {
            npm.descendants().forEach(ProcessHandle::destroyForcibly);
            npm.destroyForcibly();
        }
        if (npm.exitValue() != 0) {
            throw new IOException("npm ci failed in " + folder + ":\n" + Files.readString(log));
        }
    }

    /** Starts node or npm, and says what to do where they are missing. */
    static Process start(ProcessBuilder builder) throws IOException {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException(
                    "cannot run " + builder.command().getFirst()
                            + ": install Node.js 20 or newer with npm, which Azurite needs, and have both on the PATH",
                    e);
        }
    }
}
