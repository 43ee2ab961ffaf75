package dev.kvstore.benchmark.sweep;

import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.protocol.block.BlockChain;
import java.util.ArrayList;
import java.util.List;

/** Brings a stock into the service, and to where it is to be read from. For one thread. */
final class StockPreparation implements AutoCloseable {
    private static final int CONNECTIONS = 2;

    // A block that leaves memory while the disk is busy is dropped. It leaves memory again after it was read again.
    private static final int MOST_PASSES = 20;

    // Not none: the data plane reads from storage what others know of partitions, too.
    private static final double MOST_MISSING = 0.01;

    private final Service service;
    private final SweepStock stock;
    private final Data data;
    private final Faults faults;
    private final List<KvClient> clients = new ArrayList<>();

    StockPreparation(Service service, SweepStock stock, Data data, Faults faults) {
        this.service = service;
        this.stock = stock;
        this.data = data;
        this.faults = faults;
        for (int i = 0; i < service.access().endpoints().size(); i++) {
            clients.add(service.access().client(i, CONNECTIONS));
        }
    }

    /**
     * Stores the stock through each data plane, so that each knows of it at once: from the second on nothing is
     * written.
     */
    void store() throws InterruptedException {
        for (KvClient client : clients) {
            stock.write(client);
            for (BlockChain chain : stock.chains()) {
                int found = client.lookup(stock.where(), chain).cachedBlocks();
                if (found < chain.size()) {
                    faults.lost("%d of %d blocks of a prompt were found right after it was stored"
                            .formatted(found, chain.size()));
                }
            }
        }
    }

    /**
     * Before each step.
     *
     * @param dataPlanes that it uses
     */
    void place(int dataPlanes) {
        for (KvClient client : clients.subList(0, dataPlanes)) {
            switch (data) {
                case HOT -> stock.read(client, faults);
                case DISK -> onDisk(client);
                case COLD -> {}
            }
        }
    }

    private void onDisk(KvClient client) {
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            DataPlaneUse before = service.seen();
            stock.read(client, faults);
            DataPlaneUse after = service.seen();
            if (before == null || after == null || after.since(before).fromStorage() <= stock.blocks() * MOST_MISSING) {
                return;
            }
        }
        throw new LaunchException("after " + MOST_PASSES + " passes some of the " + stock.blocks()
                + " blocks are still not on the local disk; give fewer with --stock-blocks");
    }

    @Override
    public void close() {
        clients.forEach(KvClient::close);
    }
}
