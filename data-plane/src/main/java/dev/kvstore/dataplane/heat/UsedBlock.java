package dev.kvstore.dataplane.heat;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.protocol.heat.Uses;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A block that is used. It is counted by any thread, and weighed by one. */
final class UsedBlock {
    private static final AtomicIntegerFieldUpdater<UsedBlock> COUNT =
            AtomicIntegerFieldUpdater.newUpdater(UsedBlock.class, "count");

    private static final double LN_2 = Math.log(2);

    private final String resourceName;
    private final BlockKey key;
    private final long parent;
    private final int bytes;
    private volatile int count;
    private double uses = Uses.NONE;
    private double untold = Uses.NONE;

    UsedBlock(String resourceName, BlockKey key, long parent, int bytes) {
        this.resourceName = resourceName;
        this.key = key;
        this.parent = parent;
        this.bytes = bytes;
    }

    void use() {
        COUNT.incrementAndGet(this);
    }

    /** @param now a single use at this moment, as {@link Uses} has it */
    void weigh(double now) {
        if (count > 0) {
            double fresh = now + Math.log(COUNT.getAndSet(this, 0)) / LN_2;
            uses = Uses.sum(uses, fresh);
            untold = Uses.sum(untold, fresh);
        }
    }

    /** Whether the block's uses were weighed; false for a block that came after the last beat. */
    boolean isWeighed() {
        return uses != Uses.NONE;
    }

    double uses() {
        return uses;
    }

    double untold() {
        return untold;
    }

    boolean isUntold() {
        return untold != Uses.NONE;
    }

    BlockUse tell() {
        BlockUse told = new BlockUse(this, untold);
        untold = Uses.NONE;
        return told;
    }

    void takeBack(double told) {
        untold = Uses.sum(untold, told);
    }

    /** The resource name by which admins know the block's account, the same in every region. */
    String resourceName() {
        return resourceName;
    }

    BlockKey key() {
        return key;
    }

    /** The first 8 bytes of the name of the block before it, or of the root. */
    long parent() {
        return parent;
    }

    /** The length of the block's buffer. */
    int bytes() {
        return bytes;
    }
}
