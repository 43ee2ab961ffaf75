package dev.kvstore.client.internal;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kvstore.protocol.control.v1.Route;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last good route, in a file that only its owner may read; the file has addresses and no key. A new file is written
 * whole beside the old one and then replaces it. Layout: magic, version, the time of the route's arrival in ms, the
 * length, the route as protobuf, the CRC32C of everything before. One thread uses the cache; several processes may
 * share the folder.
 */
final class RouteCache {
    private static final Logger LOG = LoggerFactory.getLogger(RouteCache.class);
    private static final int MAGIC = 0x4b565254; // KVRT
    private static final int VERSION = 1;
    private static final String FRESH = ".new";
    private static final int HEAD_BYTES = 4 + 4 + 8 + 4;

    /** The largest file; 10,000 data planes take a tenth of that. */
    private static final int MOST_BYTES = 16 << 20;

    /** The age of the oldest route that is used: as long as a data plane serves without the control plane. */
    static final Duration MOST_AGE = Duration.ofDays(1);

    /** The time after which an unchanged route is written again, so that its age stays small. */
    static final Duration CONFIRM = Duration.ofMinutes(10);

    private final @Nullable Path file;
    private final InstantSource clock;
    private String written = "";
    private Instant writtenAt = Instant.EPOCH;
    private boolean warned;

    /** @param folder the folder; null keeps nothing */
    RouteCache(@Nullable Path folder, List<String> controlPlane, String resource, String region, InstantSource clock) {
        this.file = folder == null ? null : folder.resolve(name(controlPlane, resource, region));
        this.clock = clock;
    }

    private static String name(List<String> controlPlane, String resource, String region) {
        String whose = String.join(",", controlPlane.stream().sorted().toList()) + "\n" + resource + "\n" + region;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(whose.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16) + ".route";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The kept route; null if there is none or if it is too old. */
    @Nullable
    Route load() {
        if (file == null) {
            return null;
        }
        try {
            return Files.size(file) > MOST_BYTES ? null : parse(ByteBuffer.wrap(Files.readAllBytes(file)));
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            LOG.warn("the kept route {} cannot be used: {}", file, e.toString());
            return null;
        }
    }

    private @Nullable Route parse(ByteBuffer bytes) throws IOException {
        int end = bytes.limit() - Integer.BYTES;
        if (end < HEAD_BYTES || bytes.getInt(end) != crc32c(bytes.slice(0, end))) {
            throw new IOException("it is damaged");
        }
        if (bytes.getInt() != MAGIC || bytes.getInt() != VERSION) {
            return null; // another version of this SDK wrote the file
        }
        Duration age = Duration.between(Instant.ofEpochMilli(bytes.getLong()), clock.instant());
        if (age.compareTo(MOST_AGE) > 0
                || age.compareTo(MOST_AGE.negated()) < 0
                || bytes.getInt() != end - HEAD_BYTES) {
            return null;
        }
        try {
            return Route.parseFrom(bytes.slice(HEAD_BYTES, end - HEAD_BYTES));
        } catch (InvalidProtocolBufferException e) {
            throw new IOException("it is no route", e);
        }
    }

    /**
     * Keeps a route, unless the same route was kept or confirmed lately. If the file cannot be written, one warning is
     * logged.
     */
    void save(Route route) {
        Instant now = clock.instant();
        if (file == null || (route.getVersion().equals(written) && now.isBefore(writtenAt.plus(CONFIRM)))) {
            return;
        }
        try {
            write(file, content(route, now));
            written = route.getVersion();
            writtenAt = now;
        } catch (IOException | UnsupportedOperationException e) {
            if (!warned) {
                warned = true;
                LOG.warn(
                        "the route cannot be kept in {}: {}; without the control plane the next start will not know"
                                + " where to go. Name another folder with routeCache(folder), or none with noRouteCache()",
                        file,
                        e.toString());
            }
        }
    }

    private static ByteBuffer content(Route route, Instant now) {
        byte[] message = route.toByteArray();
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + message.length + Integer.BYTES);
        bytes.putInt(MAGIC)
                .putInt(VERSION)
                .putLong(now.toEpochMilli())
                .putInt(message.length)
                .put(message);
        bytes.putInt(crc32c(bytes.slice(0, bytes.position())));
        return bytes.flip();
    }

    /**
     * Writes the file under a temporary name of its own first, since several clients may write at a time: of one
     * process, or of containers whose processes have equal numbers.
     */
    private void write(Path target, ByteBuffer bytes) throws IOException {
        Path folder = target.getParent();
        Files.createDirectories(folder, mode("rwx------"));
        Path fresh = Files.createTempFile(folder, target.getFileName() + ".", FRESH, mode("rw-------"));
        try {
            try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true); // without this, a power cut may leave the new name without its content
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        removeLeftovers(target);
    }

    /** Removes temporary files of clients that died while they wrote, once a file is too old to be still in use. */
    private void removeLeftovers(Path target) throws IOException {
        Instant old = clock.instant().minus(MOST_AGE);
        try (DirectoryStream<Path> leftovers =
                Files.newDirectoryStream(target.getParent(), target.getFileName() + ".*" + FRESH)) {
            for (Path leftover : leftovers) {
                if (Files.getLastModifiedTime(leftover).toInstant().isBefore(old)) {
                    Files.deleteIfExists(leftover);
                }
            }
        } catch (NoSuchFileException e) {
            // Another client has removed the file, or has renamed it.
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** The permissions of a new file. Windows gives a user's own cache folder to nobody else anyway. */
    private static FileAttribute<?>[] mode(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static int crc32c(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
