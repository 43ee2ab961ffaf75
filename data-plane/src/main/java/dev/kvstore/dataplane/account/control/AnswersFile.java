package dev.kvstore.dataplane.account.control;

import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of answers in a file that only its owner may read: it has hashes of keys and the places of storage, and no
 * secret. A new file is written whole beside the old one and takes its place. Layout: magic, version, region, last
 * change, time of confirmation, answers, then the HMAC-SHA-256 of all before, under a key that is derived from the join
 * token: a user that can write the folder and does not have the token cannot grant anything. A new token makes a new
 * key, under which the file must be written anew: after a restart nobody has the old one. For one thread at a time.
 */
final class AnswersFile {
    private static final int MAGIC = 0x4b564143; // KVAC
    private static final int VERSION = 2;

    /** Names the purpose of the key that authenticates the file. */
    static final String PURPOSE = "kvstore.answers-file.v2";

    private static final int MAC_BYTES = 32;

    /** Most bytes of the file: far more than the answers that {@link ResolverBounds} keeps. */
    private static final int MAX_BYTES = 256 << 20;

    private static final long NEVER = 0;

    /** Bytes besides the region and the answers: two numbers, the region's length, two times, the count, the code. */
    private static final int FRAME_BYTES = 4 + 4 + 2 + 8 + 8 + 4 + MAC_BYTES;

    private static final int MOST_BYTES_OF_A_CHAR = 3;

    private final Path file;
    private final Path temporary;
    private final String region;
    private final Supplier<SecretKey> key;
    private final int maxBytes;
    private @Nullable SecretKey written;

    /**
     * The file of a region: answers for another region are of no use here.
     *
     * @param key supplies the key of each read and write
     */
    AnswersFile(Path file, String region, Supplier<SecretKey> key) {
        this(file, region, key, MAX_BYTES);
    }

    /** A file of at most {@code maxBytes}. */
    AnswersFile(Path file, String region, Supplier<SecretKey> key, int maxBytes) {
        this.key = key;
        this.maxBytes = maxBytes;
        this.file = file;
        this.temporary = file.resolveSibling(file.getFileName() + ".new");
        this.region = region;
    }

    Path path() {
        return file;
    }

    /** Whether the file is of no use after a restart: it was read or written under a key that has been replaced. */
    boolean isUnderOldKey() {
        SecretKey last = written;
        return last != null && !last.equals(key.get());
    }

    /**
     * The answers of the file, with their times corrected for now; empty if there is no file. The times are of a clock
     * that may have been set since: a question later than now counts as asked now, and a confirmation later than now
     * does not count.
     *
     * @throws IOException if the file is damaged, of another version or region, or cannot be read, saying which
     */
    Optional<ResolutionCache.ResolutionSnapshot> load(ClockMoment now) throws IOException {
        byte[] bytes;
        try {
            if (Files.size(file) > maxBytes) {
                throw new IOException("is longer than any that was written");
            }
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        int end = bytes.length - MAC_BYTES;
        SecretKey under = key.get();
        if (end < 0 || !MessageDigest.isEqual(mac(under, bytes, end), Arrays.copyOfRange(bytes, end, bytes.length))) {
            throw new IOException("is damaged, of another version, or was not written with this join token");
        }
        written = under;
        try {
            return Optional.of(read(new DataInputStream(new ByteArrayInputStream(bytes, 0, end)), now));
        } catch (EOFException | IllegalArgumentException e) {
            throw new IOException("is not as this version writes it", e);
        }
    }

    private ResolutionCache.ResolutionSnapshot read(DataInputStream in, ClockMoment now) throws IOException {
        if (in.readInt() != MAGIC || in.readInt() != VERSION) {
            throw new IOException("is of another version");
        }
        String other = in.readUTF();
        if (!other.equals(region)) {
            throw new IOException("is of region \"" + other + "\", not \"" + region + "\"");
        }
        long heard = in.readLong();
        long confirmed = in.readLong();
        int count = in.readInt();
        Map<ResolutionSubject, CachedResolution> granted = new HashMap<>();
        for (int i = 0; i < count; i++) {
            ClockMoment asked = now.back(Instant.ofEpochMilli(in.readLong()));
            ResolutionSubject subject = ResolutionSubject.of(ResolveRequest.parseDelimitedFrom(in));
            granted.put(subject, CachedResolution.of(subject, ResolveResponse.parseDelimitedFrom(in), asked));
        }
        return new ResolutionCache.ResolutionSnapshot(heard, confirmed(confirmed, now), granted);
    }

    private static @Nullable ClockMoment confirmed(long millis, ClockMoment now) {
        Instant time = Instant.ofEpochMilli(millis);
        return millis == NEVER || time.isAfter(now.time()) ? null : now.back(time);
    }

    /**
     * Writes the file.
     *
     * @return the number of answers for which the file had no room
     */
    int save(ResolutionCache.ResolutionSnapshot snapshot) throws IOException {
        List<byte[]> records = records(snapshot);
        SecretKey under = key.get();
        byte[] content = content(snapshot, records, under);
        Files.deleteIfExists(temporary);
        try (FileChannel out = FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            // Without this, a power cut may leave the new name without its content.
            out.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        written = under;
        return snapshot.granted().size() - records.size();
    }

    /** The answers one by one, as many as there is room for. */
    private List<byte[]> records(ResolutionCache.ResolutionSnapshot snapshot) throws IOException {
        List<byte[]> records = new ArrayList<>();
        long left = maxBytes - FRAME_BYTES - (long) region.length() * MOST_BYTES_OF_A_CHAR;
        for (Map.Entry<ResolutionSubject, CachedResolution> entry :
                snapshot.granted().entrySet()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeLong(entry.getValue().asked().time().toEpochMilli());
            entry.getKey().request(region).writeDelimitedTo(out);
            entry.getValue().response().writeDelimitedTo(out);
            if (bytes.size() <= left) {
                left -= bytes.size();
                records.add(bytes.toByteArray());
            }
        }
        return records;
    }

    private byte[] content(ResolutionCache.ResolutionSnapshot snapshot, List<byte[]> records, SecretKey under)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        out.writeUTF(region);
        out.writeLong(snapshot.heard());
        ClockMoment confirmed = snapshot.confirmed();
        out.writeLong(confirmed == null ? NEVER : confirmed.time().toEpochMilli());
        out.writeInt(records.size());
        for (byte[] bytesOfOne : records) {
            out.write(bytesOfOne);
        }
        out.write(mac(under, bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    /** Removes the file: no file is better than an old one that must not be read again. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    private static byte[] mac(SecretKey key, byte[] bytes, int length) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            mac.update(bytes, 0, length);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + key.getAlgorithm(), e);
        }
    }
}
