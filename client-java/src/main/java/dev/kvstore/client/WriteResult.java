package dev.kvstore.client;

import dev.kvstore.protocol.block.Location;

/**
 * A block that storage has made durable.
 *
 * @param location where it is
 * @param outcome whether these bytes were stored or older ones stand
 * @param storedCrc32c CRC32C of the buffer that is stored; 0 if that is not told
 * @param storedBytes its length; 0 if that is not told, as an older block may be known to readers only
 * @param differs whether the stored buffer is known to be another than the one written
 */
public record WriteResult(Location location, Outcome outcome, int storedCrc32c, long storedBytes, boolean differs) {
    /** What storage did. */
    public enum Outcome {
        STORED,
        ALREADY_PRESENT
    }
}
