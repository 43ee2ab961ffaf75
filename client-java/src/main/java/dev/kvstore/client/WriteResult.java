package dev.kvstore.client;

import dev.kvstore.protocol.block.Location;

/**
 * The result of a write: the block is durable in storage.
 *
 * @param location the location of the block
 * @param outcome whether this write stored the block, or it was stored before
 * @param storedCrc32c CRC32C of the stored buffer; 0 if the server does not reveal it, because the key may write and
 *     not read
 * @param storedBytes bytes of the stored buffer; 0 in the same case
 * @param differs whether the stored buffer is known to differ from the written one; false if the server does not reveal
 *     it
 */
public record WriteResult(Location location, Outcome outcome, int storedCrc32c, long storedBytes, boolean differs) {
    /** The outcome of a write. */
    public enum Outcome {
        STORED,
        ALREADY_PRESENT
    }
}
