package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.protocol.format.BlockHeader;

/**
 * The blocks that a reader accepts. Immutable.
 *
 * @param writers a block of another writer is not found
 * @param length a block of another length is refused, since its name stands for two layouts
 */
record BlockFilter(WriterFilter writers, ExpectedLength length) {
    static final BlockFilter ANY = new BlockFilter(WriterFilter.ANY, ExpectedLength.ANY);

    /**
     * The length that a request expects.
     *
     * @param bytes as of the field {@code expected_bytes}, an unsigned number
     */
    static ExpectedLength length(long bytes) throws CallRefusal {
        if (Long.compareUnsigned(bytes, BlockHeader.MAX_BUFFER_BYTES) > 0) {
            throw CallRefusal.invalid(
                    "expected_bytes",
                    "must be 0, or 1 to " + BlockHeader.MAX_BUFFER_BYTES + ", not " + Long.toUnsignedString(bytes));
        }
        return bytes == 0 ? ExpectedLength.ANY : new ExpectedLength((int) bytes);
    }

    /** Throws a refusal if this is no block for the reader. */
    void check(BlockHeader header) throws CallRefusal {
        if (!writers.include(header)) {
            throw CallRefusal.notFound();
        }
        if (!length.admits(header.bufferBytes())) {
            throw CallRefusal.otherLength(header.bufferBytes(), length.bytes());
        }
    }

    /** The same block, if it is one for the reader. Otherwise its reference is given back, and the refusal thrown. */
    StoredBlock require(StoredBlock block) throws CallRefusal {
        boolean accepted = false;
        try {
            check(block.header());
            accepted = true;
            return block;
        } finally {
            if (!accepted) {
                block.release();
            }
        }
    }
}
