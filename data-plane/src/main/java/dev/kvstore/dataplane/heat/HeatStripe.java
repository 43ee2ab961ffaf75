package dev.kvstore.dataplane.heat;

import dev.kvstore.protocol.heat.Uses;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** A part of the blocks, under a lock of its own. Thread-safe. */
final class HeatStripe {
    /** Of a block. */
    private static final class Entry {
        final long parent;
        final int bytes;
        double uses = Uses.NONE;
        double untold = Uses.NONE;

        Entry(long parent, int bytes) {
            this.parent = parent;
            this.bytes = bytes;
        }
    }

    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UsedBlock, Entry> blocks = new HashMap<>();

    /** @param most blocks, 2 or more */
    HeatStripe(int most) {
        this.most = most;
    }

    void add(UsedBlock block, long parent, int bytes, double use) {
        lock.lock();
        try {
            Entry entry = blocks.get(block);
            if (entry == null) {
                makeRoom();
                entry = new Entry(parent, bytes);
                blocks.put(block, entry);
            }
            entry.uses = Uses.sum(entry.uses, use);
            entry.untold = Uses.sum(entry.untold, use);
        } finally {
            lock.unlock();
        }
    }

    /** Half of them at once, so that it is seldom: each block that is new pays for little. */
    private void makeRoom() {
        if (blocks.size() < most) {
            return;
        }
        double[] uses =
                blocks.values().stream().mapToDouble(entry -> entry.uses).toArray();
        Arrays.sort(uses);
        double median = uses[uses.length / 2];
        blocks.values().removeIf(entry -> entry.uses < median);
        // All the same: then it does not matter which.
        var rest = blocks.values().iterator();
        while (blocks.size() > most / 2) {
            rest.next();
            rest.remove();
        }
    }

    /** Adds what was not told yet to others'; it counts as told. */
    void tell(List<Use> all) {
        lock.lock();
        try {
            blocks.forEach((block, entry) -> {
                if (entry.untold != Uses.NONE) {
                    all.add(new Use(block, entry.parent, entry.bytes, entry.untold));
                    entry.untold = Uses.NONE;
                }
            });
        } finally {
            lock.unlock();
        }
    }

    /** It was not told after all; if it is forgotten by now, so be it. */
    void takeBack(Use use) {
        lock.lock();
        try {
            Entry entry = blocks.get(use.block());
            if (entry != null) {
                entry.untold = Uses.sum(entry.untold, use.uses());
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return blocks.size();
        } finally {
            lock.unlock();
        }
    }
}
