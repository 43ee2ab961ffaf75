package dev.kvstore.benchmark.kvcache.tier;

import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Holds the bytes of entries. Thread-safe for different entries; one entry is written before it is read, and read
 * before it is deleted.
 */
public interface Tier extends AutoCloseable {
    /**
     * Writes an entry, piece by piece.
     *
     * @param memory of the calling thread
     * @param moved is told of the bytes of each piece when it is written
     */
    IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException;

    /**
     * Reads an entry, piece by piece.
     *
     * @param check whether the stamp of each page is looked at
     * @param moved is told of the bytes of each piece when it is read
     * @throws DamageException if the bytes are not those of {@link #write}
     */
    IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException;

    /** Does nothing if there is no such entry. */
    default void delete(EntryBytes blob) throws IOException {}

    @Override
    default void close() throws IOException {}
}
