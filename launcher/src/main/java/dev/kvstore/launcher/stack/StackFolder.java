package dev.kvstore.launcher.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A stack's folder, owned by one stack at a time. What lies in it outlives the stack. */
final class StackFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private StackFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder when missing and takes it.
     *
     * @throws LaunchException if another stack runs in it
     */
    static StackFolder take(Path path) throws IOException {
        Files.createDirectories(path);
        FileChannel channel =
                FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new LaunchException("another stack runs in " + path + ": stop it, or give --data another folder");
        }
        return new StackFolder(path, channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    /** The key of this folder's tenant, the same at every start. */
    ApiKey key(RandomGenerator random) throws IOException {
        Path file = path.resolve("api-key");
        if (!Files.exists(file)) {
            PrivateFile.write(file, ApiKey.generate(random).text() + "\n");
        }
        try {
            return new ApiKey(Files.readString(file, UTF_8).strip());
        } catch (IllegalArgumentException e) {
            throw new LaunchException(file + ": " + e.getMessage() + "; delete the file to have a new key made", e);
        }
    }

    Path storage() {
        return path.resolve("storage");
    }

    Path azurite() {
        return path.resolve("azurite");
    }

    Path accounts() {
        return path.resolve("accounts.json");
    }

    Path log(String process) {
        return path.resolve("logs").resolve(process + ".log");
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
