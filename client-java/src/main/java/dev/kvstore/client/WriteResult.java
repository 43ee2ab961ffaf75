package dev.kvstore.client;

import dev.kvstore.protocol.block.Location;

/**
 * A block that storage has made durable.
 *
 * @param location where it is
 * @param outcome whether these bytes were stored or older ones stand
 * @param storedCrc32c CRC32C of the buffer that is stored
 * @param storedBytes its length
 * @param differs whether the stored buffer is another than the one written
 */
public record WriteResult(Location location, Outcome outcome, int storedCrc32c, long storedBytes, boolean differs) {
    /** What storage did. */
    public enum Outcome {
        STORED,
        ALREADY_PRESENT
    }
}
