package dev.kvstore.launcher.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.PrivateFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A stack's folder, owned by one stack at a time. Its content outlives the stack. One thread uses it. */
public final class StackFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private StackFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder if it is missing, and takes it.
     *
     * @throws LaunchException if another stack runs in the folder
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

    /** The file in a stack's folder that holds the token of its control plane's admin. */
    public static Path adminToken(Path stack) {
        return stack.resolve("admin-token");
    }

    /** The key of this folder's tenant, the same at every start. */
    ApiKey key(RandomGenerator random) throws IOException {
        if (keptKey() == null) {
            keep(ApiKey.generate(random));
        }
        return Objects.requireNonNull(keptKey());
    }

    /**
     * The key that was kept; null if there is none.
     *
     * @throws LaunchException if the file has other content
     */
    @Nullable
    ApiKey keptKey() throws IOException {
        Path file = keyFile();
        if (!Files.exists(file)) {
            return null;
        }
        try {
            return new ApiKey(Files.readString(file, UTF_8).strip());
        } catch (IllegalArgumentException e) {
            throw new LaunchException(file + ": " + e.getMessage() + "; delete the file to have a new key made", e);
        }
    }

    /** Keeps a key for the next start, in place of any other. */
    void keep(ApiKey key) throws IOException {
        PrivateFile.write(keyFile(), key.text() + "\n");
    }

    private Path keyFile() {
        return path.resolve("api-key");
    }

    /** The token by which the control plane's admin proves their identity; the same at every start. */
    AccessToken adminToken(RandomGenerator random) throws IOException {
        return token(adminToken(path), random);
    }

    /** The kept join token of a cluster; null if there is none, or if the file has no token. */
    @Nullable
    JoinToken keptJoinToken(String cluster) throws IOException {
        Path file = joinTokenFile(cluster);
        if (!Files.exists(file)) {
            return null;
        }
        try {
            return new JoinToken(Files.readString(file, UTF_8).strip());
        } catch (IllegalArgumentException e) {
            // A new token is made in its place; the file's content is of no use.
            return null;
        }
    }

    /** Keeps the join token of a cluster for the next start, in place of any other. */
    void keep(String cluster, JoinToken token) throws IOException {
        PrivateFile.write(joinTokenFile(cluster), token.text() + "\n");
    }

    private Path joinTokenFile(String cluster) {
        return path.resolve(named("join-token", cluster));
    }

    private static AccessToken token(Path file, RandomGenerator random) throws IOException {
        if (!Files.exists(file)) {
            PrivateFile.write(file, AccessToken.generate(random).text() + "\n");
        }
        try {
            return new AccessToken(Files.readString(file, UTF_8).strip());
        } catch (IllegalArgumentException e) {
            throw new LaunchException(file + ": " + e.getMessage() + "; delete the file to have a new one made", e);
        }
    }

    /** The folder of the control plane. */
    Path controlPlane() {
        return path.resolve("control-plane");
    }

    /** The folder for the control plane's answers that a data plane keeps. */
    Path state(String dataPlane) {
        return path.resolve("state").resolve(dataPlane);
    }

    /** The folder of a data plane's disk tier. */
    Path disk(String dataPlane) {
        return path.resolve("disk").resolve(dataPlane);
    }

    Path storage(String region) {
        return path.resolve(named("storage", region));
    }

    Path azurite(String region) {
        return path.resolve(named("azurite", region));
    }

    /** @param of the region or the cluster */
    private static String named(String what, String of) {
        return of.equals(StackLayout.HOME) ? what : what + "-" + of;
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
