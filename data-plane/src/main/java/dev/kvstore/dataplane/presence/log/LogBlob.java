package dev.kvstore.dataplane.presence.log;

import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A log of this process in storage. Nobody else writes under its name; others delete it once a snapshot stands for it.
 * So where the answer to a put was lost, or does not say the ETag, a look at the log tells the outcome. For one thread
 * at a time.
 */
final class LogBlob {
    private final PresenceFiles files;
    private final String name;
    private @Nullable String etag;

    /** A log that is not written yet. */
    LogBlob(PresenceFiles files, String name) {
        this.files = files;
        this.name = name;
    }

    String name() {
        return name;
    }

    /**
     * Writes the log.
     *
     * @return false if it is gone, or damaged: its blocks must go into another log
     * @throws StorageException if nobody can tell which content storage has; the next call finds out
     */
    boolean put(Log content) throws StorageException {
        String written;
        try {
            written = files.putLog(name, content, etag);
        } catch (StorageException e) {
            written = afterAll(content, e);
        }
        return written == null ? putAgain(content) : kept(written);
    }

    /** Deletes the log as it was last written, or as it is if no put of it succeeded. Has no effect if it is gone. */
    void delete() throws StorageException {
        String last = etag == null ? etagInStorage() : etag;
        if (last != null) {
            files.deleteLog(name, last);
        }
    }

    private @Nullable String etagInStorage() throws StorageException {
        try {
            SnapshotVersion<Log> there = files.log(name);
            return there == null ? null : there.etag();
        } catch (UnreadableException e) {
            return e.etag();
        } catch (MemoryExhaustedException e) {
            throw unavailable(e);
        }
    }

    private StorageException unavailable(MemoryExhaustedException e) {
        return new StorageException(Kind.UNAVAILABLE, "presence log " + name + ": " + e.getMessage(), e);
    }

    private boolean kept(String written) {
        etag = written;
        return true;
    }

    /** The ETag, if the put took effect although it failed. */
    private String afterAll(Log content, StorageException failure) throws StorageException {
        try {
            SnapshotVersion<Log> there = files.log(name);
            if (there != null && there.content().equals(content)) {
                return there.etag();
            }
        } catch (StorageException | MemoryExhaustedException | UnreadableException e) {
            failure.addSuppressed(e);
        }
        throw failure;
    }

    /** Puts a log that is not as it was left: a put whose answer was lost took effect later, or the log is gone. */
    private boolean putAgain(Log content) throws StorageException {
        try {
            SnapshotVersion<Log> there = files.log(name);
            if (there == null) {
                return false;
            }
            String written = there.content().equals(content) ? there.etag() : files.putLog(name, content, there.etag());
            return written != null && kept(written);
        } catch (UnreadableException e) {
            return false;
        } catch (MemoryExhaustedException e) {
            throw unavailable(e);
        }
    }
}
