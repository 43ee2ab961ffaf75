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
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A snapshot of answers in a file that only its owner may read: it has hashes of keys and the places of storage, and no
 * secret. Written whole beside the old one and put in its place. Layout: magic, version, region, last change, time of
 * confirmation, answers, then the CRC32C of all before. For one thread at a time.
 */
final class AnswersFile {
    private static final int MAGIC = 0x4b564143; // KVAC
    private static final int VERSION = 1;

    /** More than 50,000 answers take. */
    private static final long MAX_BYTES = 256 << 20;

    private final Path file;
    private final Path temporary;
    private final String region;

    /** The file of a region: what is answered elsewhere is of no use here. */
    AnswersFile(Path file, String region) {
        this.file = file;
        this.temporary = file.resolveSibling(file.getFileName() + ".new");
        this.region = region;
    }

    Path path() {
        return file;
    }

    /**
     * What the file holds; nothing if there is no file.
     *
     * @throws IOException if it is damaged, of another version or region, or cannot be read, saying which
     */
    Optional<Answers.Snapshot> load() throws IOException {
        byte[] bytes;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException("is longer than any that was written");
            }
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        int end = bytes.length - Integer.BYTES;
        if (end < 0 || ByteBuffer.wrap(bytes).getInt(end) != crc32c(bytes, end)) {
            throw new IOException("is damaged: its checksum is not that of its content");
        }
        try {
            return Optional.of(read(new DataInputStream(new ByteArrayInputStream(bytes, 0, end))));
        } catch (EOFException | IllegalArgumentException e) {
            throw new IOException("is not as this version writes it", e);
        }
    }

    private Answers.Snapshot read(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC || in.readInt() != VERSION) {
            throw new IOException("is of another version");
        }
        String other = in.readUTF();
        if (!other.equals(region)) {
            throw new IOException("is of region \"" + other + "\", not \"" + region + "\"");
        }
        long heard = in.readLong();
        Instant confirmed = Instant.ofEpochMilli(in.readLong());
        int count = in.readInt();
        Map<Subject, Answer> granted = new HashMap<>();
        for (int i = 0; i < count; i++) {
            Instant asked = Instant.ofEpochMilli(in.readLong());
            Subject subject = Subject.of(ResolveRequest.parseDelimitedFrom(in));
            granted.put(subject, Answer.of(subject, ResolveResponse.parseDelimitedFrom(in), asked));
        }
        return new Answers.Snapshot(heard, confirmed, granted);
    }

    void save(Answers.Snapshot snapshot) throws IOException {
        byte[] content = content(snapshot);
        Files.deleteIfExists(temporary);
        try (FileChannel out = FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            // Else a power cut may leave the new name without its content.
            out.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private byte[] content(Answers.Snapshot snapshot) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        out.writeUTF(region);
        out.writeLong(snapshot.heard());
        out.writeLong(snapshot.confirmed().toEpochMilli());
        out.writeInt(snapshot.granted().size());
        for (Map.Entry<Subject, Answer> entry : snapshot.granted().entrySet()) {
            out.writeLong(entry.getValue().asked().toEpochMilli());
            entry.getKey().request(region).writeDelimitedTo(out);
            entry.getValue().response().writeDelimitedTo(out);
        }
        out.writeInt(crc32c(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    /** Removes it; what must not be read again is better gone than old. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    private static int crc32c(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
