package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** The clients of one process, a virtual thread each. For one thread. */
final class SweepLoad implements AutoCloseable {
    // The name from which written blocks are generated; any name would do.
    private static final BlockHash SEED = new BlockHash(1, 2, 3, 4);

    private final ClientSetup setup;
    private final List<KvClient> clients = new ArrayList<>();
    private final Turns turns;
    private final ByteBuffer buffer;
    // No two processes, and no two iterations of one, write the same blocks.
    private final AtomicLong numbers;

    SweepLoad(ClientSetup setup) {
        this.setup = setup;
        this.turns = new Turns(setup.stock(), setup.process(), setup.processes());
        this.buffer = ByteBuffer.allocateDirect(setup.stock().blockBytes());
        this.numbers = new AtomicLong((long) setup.process() << 40);
        Payload.fill(SEED, buffer);
        for (int i = 0; i < setup.access().endpoints().size(); i++) {
            clients.add(setup.access().client(i, setup.connections()));
        }
    }

    /** Does a step, and returns when every call of it has ended. */
    StepResult run(StepOrder order, Moments moments) throws InterruptedException {
        turns.restart();
        long start = System.nanoTime();
        long begin = start + Duration.ofMillis(order.leadMillis()).toNanos();
        MeasuringWindow window = new MeasuringWindow(
                begin, begin + Duration.ofMillis(order.windowMillis()).toNanos());
        SweepTally tally = new SweepTally(window);
        SweepCaller.Shared shared = new SweepCaller.Shared(
                setup.mix(), setup.stock(), turns, Partition.of(order.partition()), buffer, window, tally);
        long retries = retries();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> ends = loops(order, shared, start).stream()
                    .map(loop -> threads.submit(bounded(loop, order, shared)))
                    .toList();
            window.awaitBegin();
            moments.begun();
            window.awaitEnd();
            moments.ended();
            for (Future<Void> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the load could not go on: " + e.getCause(), e);
        }
        return tally.answer(retries() - retries);
    }

    /** An iteration; whether there is another. */
    @FunctionalInterface
    private interface LoadIteration {
        boolean next() throws InterruptedException;
    }

    private static Callable<Void> bounded(LoadIteration loop, StepOrder order, SweepCaller.Shared shared) {
        return () -> {
            while (loop.next()) {
                if (shared.tally().bytesWritten() >= order.mostBytes()) {
                    shared.window().close(System.nanoTime());
                }
            }
            return null;
        };
    }

    /** Clients are dealt out to the processes in turn, and those of each process to the data planes. */
    private List<LoadIteration> loops(StepOrder order, SweepCaller.Shared shared, long start) {
        List<Schedule> schedules = new ArrayList<>();
        for (int plane = 0; plane < order.dataPlanes(); plane++) {
            schedules.add(new Schedule(
                    start,
                    order.rate(),
                    plane * setup.processes() + setup.process(),
                    order.dataPlanes() * setup.processes()));
        }
        List<LoadIteration> loops = new ArrayList<>();
        for (int i = setup.process(); i < order.clients(); i += setup.processes()) {
            // Not i alone: with two of both, a process would have clients of one data plane only.
            int plane = (i / setup.processes() + i % setup.processes()) % order.dataPlanes();
            SweepCaller caller = new SweepCaller(clients.get(plane), shared);
            loops.add(order.hasRate() ? open(caller, schedules.get(plane), shared) : closed(caller, shared));
        }
        return loops;
    }

    /** One iteration after the other. */
    private LoadIteration closed(SweepCaller caller, SweepCaller.Shared shared) {
        return () -> {
            caller.iterate(numbers.getAndIncrement(), 0);
            return !shared.window().isOver(System.nanoTime());
        };
    }

    /** An iteration when it is due, or as soon after that as a caller is free. */
    private LoadIteration open(SweepCaller caller, Schedule schedule, SweepCaller.Shared shared) {
        return () -> {
            long due = schedule.next();
            if (shared.window().isOver(due) || !shared.window().await(due)) {
                return false;
            }
            caller.iterate(numbers.getAndIncrement(), Math.max(0, System.nanoTime() - due));
            return true;
        };
    }

    private long retries() {
        return clients.stream().mapToLong(client -> client.counters().retries()).sum();
    }

    @Override
    public void close() {
        clients.forEach(KvClient::close);
    }
}
