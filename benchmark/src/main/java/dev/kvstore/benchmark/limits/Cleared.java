package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.ClientSample;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.peers.Clearing;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * Writes of one measurement whose blocks are emptied again while others are written ({@link Clearing}), so that they
 * use little of the disk; the blocks that are left at its end are verified as usual.
 */
final class Cleared implements MainJobOperation, AutoCloseable {
    private final MainJobOperation writes;
    private final Clearing clearing;

    /** @param storage where they are written, laid out as a data plane does it */
    Cleared(MainJobOperation writes, Path storage, Partition partition) {
        this.writes = writes;
        this.clearing = new Clearing(storage, partition, MeasuredDataPlane.BLOCK_BYTES, InstantSource.system());
    }

    @Override
    public String name() {
        return writes.name();
    }

    @Override
    public void prepare() throws InterruptedException {
        writes.prepare();
    }

    @Override
    public void once(ClientSample sample) throws InterruptedException {
        writes.once(sample);
    }

    @Override
    public long mostBytes() {
        return writes.mostBytes();
    }

    @Override
    public void finish() throws IOException {
        close();
        writes.finish();
    }

    @Override
    public void close() {
        clearing.close();
    }
}
