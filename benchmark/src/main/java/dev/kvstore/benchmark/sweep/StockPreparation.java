package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.benchmark.sweep.step.Data;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.LaunchException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Brings a stock into the service, and to where it is to be read from. For one thread.
 *
 * @param calls a client of each data plane
 * @param faults is told of blocks that are missing or wrong
 */
record StockPreparation(
        SweptService service, StoredPrompts stock, Data data, List<PromptCalls> calls, Consumer<FaultCounts> faults)
        implements AutoCloseable {
    private static final int CONNECTIONS = 2;

    // A block that leaves memory while the disk is busy is dropped. It leaves memory again after it was read again.
    private static final int MOST_PASSES = 20;

    // Not none: the data plane reads from storage what others know of partitions, too.
    private static final double MOST_MISSING = 0.01;

    static StockPreparation of(SweptService service, StoredPrompts stock, Data data, Consumer<FaultCounts> faults) {
        List<PromptCalls> calls = IntStream.range(
                        0, service.access().endpoints().size())
                .mapToObj(plane -> new PromptCalls(service.access().client(plane, CONNECTIONS), stock.blockBytes()))
                .toList();
        return new StockPreparation(service, stock, data, calls, faults);
    }

    /**
     * Stores the stock through each data plane, so that each knows of it at once: from the second on nothing is
     * written.
     */
    void store() throws InterruptedException {
        for (PromptCalls of : calls) {
            stock.write(of.client());
            all(of::lookUp);
        }
    }

    /**
     * Before each step.
     *
     * @param dataPlanes that it uses
     */
    void place(int dataPlanes) {
        for (PromptCalls of : calls.subList(0, dataPlanes)) {
            switch (data) {
                case HOT -> all(of::stream);
                case DISK -> bringToDisk(of);
                case COLD -> {}
            }
        }
    }

    private void bringToDisk(PromptCalls of) {
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            DataPlaneUse before = service.used();
            all(of::stream);
            DataPlaneUse after = service.used();
            if (before == null || after == null || after.since(before).fromStorage() <= stock.blocks() * MOST_MISSING) {
                return;
            }
        }
        throw new LaunchException("after " + MOST_PASSES + " passes some of the " + stock.blocks()
                + " blocks are still not on the local disk; give fewer with --stock-blocks");
    }

    /** @param call of each prompt; says how many of its blocks are not there */
    private void all(ToIntFunction<Prompt> call) {
        for (int number = 0; number < stock.count(); number++) {
            try {
                int missed = call.applyAsInt(stock.prompt(number));
                if (missed > 0) {
                    String what = missed + " blocks of a prompt that is stored were not found";
                    faults.accept(new FaultCounts(missed, 0, 0, List.of(what)));
                }
            } catch (KvStoreException e) {
                FaultCounts fault = FaultCounts.of(e);
                if (fault.failed() > 0) {
                    throw e;
                }
                faults.accept(fault);
            } catch (IllegalStateException e) {
                faults.accept(FaultCounts.wrong(String.valueOf(e.getMessage())));
            }
        }
    }

    @Override
    public void close() {
        calls.forEach(of -> of.client().close());
    }
}
