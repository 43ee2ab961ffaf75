package dev.kvstore.launcher.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program for Node.js with its npm packages, which its lock file pins and the first call installs. Thread-safe;
 * processes that install into one folder take turns.
 *
 * @param sources holds {@code package.json}, {@code package-lock.json} and the scripts
 * @param scripts names of files in {@code sources}
 * @param folder the folder of the installation; may be deleted
 */
public record NodeProgram(Path sources, List<String> scripts, Path folder) {
    private static final List<String> PACKAGE_FILES = List.of("package.json", "package-lock.json");

    /**
     * The longest installation: some 400 small packages come from a registry or npm's cache, normally in half a minute.
     */
    private static final long INSTALL_MINUTES = 5;

    // The file lock keeps other processes out, this lock the other threads of this process.
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    public NodeProgram {
        scripts = List.copyOf(scripts);
    }

    /**
     * Copies the program and runs {@code npm ci}, unless that was done with the same files.
     *
     * @throws IOException if the installation fails; the message has npm's output, or how to get npm
     */
    public void install() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        IN_PROCESS.lockInterruptibly();
        try (FileChannel channel = FileChannel.open(
                        folder.resolve("install.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            Path stamp = folder.resolve("installed");
            String wanted = content();
            if (Files.exists(stamp) && Files.readString(stamp).equals(wanted)) {
                return;
            }
            Files.deleteIfExists(stamp);
            for (String file : files()) {
                Files.copy(sources.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            npmCi();
            Files.writeString(stamp, wanted);
        } finally {
            IN_PROCESS.unlock();
        }
    }

    private List<String> files() {
        List<String> files = new ArrayList<>(PACKAGE_FILES);
        files.addAll(scripts);
        return files;
    }

    private String content() throws IOException {
        StringBuilder content = new StringBuilder();
        for (String file : files()) {
            content.append(Files.readString(sources.resolve(file)));
        }
        return content.toString();
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

    /**
     * Starts node or npm.
     *
     * @throws IOException if the program cannot be run; the message says how to get it
     */
    public static Process start(ProcessBuilder builder) throws IOException {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException(
                    "cannot run " + builder.command().getFirst()
                            + ": install Node.js 20 or newer with npm, and have both on the PATH",
                    e);
        }
    }
}
