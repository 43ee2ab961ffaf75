package dev.kvstore.benchmark.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.benchmark.sweep.step.Mix;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.WindowFigures;
import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A process of clients, a virtual thread each. It reads a {@link ClientSetup} and then {@link StepOrder}s from its
 * standard input, a line of JSON each, and writes to its standard output that it is ready, and for each order when the
 * window begins, when it has ended, and its {@link WindowFigures}. It ends when its input does. For one thread.
 */
final class ClientProcess implements AutoCloseable {
    static final String READY = "ready";
    static final String BEGUN = "begun";
    static final String ENDED = "ended";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double SECOND = 1e9;

    // The name from which written blocks are generated; any name would do.
    private static final BlockHash SEED = new BlockHash(1, 2, 3, 4);

    /**
     * The setup that a process needs before its first step.
     *
     * @param mix what each client does
     * @param process which of all it is, from 0
     * @param connections to each data plane
     */
    record ClientSetup(
            ServiceAccess access, Mix mix, StoredPrompts stock, int process, int processes, int connections) {}

    /**
     * A step to do.
     *
     * @param partition for written blocks
     * @param leadMillis load before the window begins
     * @param windowMillis its length
     * @param mostBytes written in the window by this process before it ends early
     */
    record StepOrder(String partition, PlannedStep plan, long leadMillis, long windowMillis, long mostBytes) {}

    private final ClientSetup setup;
    private final List<KvClient> clients = new ArrayList<>();
    private final Turns turns;
    private final ByteBuffer buffer;
    // No two processes, and no two iterations of one, write the same blocks.
    private final AtomicLong numbers;

    private ClientProcess(ClientSetup setup) {
        this.setup = setup;
        this.turns = new Turns(setup.stock(), setup.process(), setup.processes());
        this.buffer = ByteBuffer.allocateDirect(setup.stock().blockBytes());
        this.numbers = new AtomicLong((long) setup.process() << 40);
        Payload.fill(SEED, buffer);
        for (int i = 0; i < setup.access().endpoints().size(); i++) {
            clients.add(setup.access().client(i, setup.connections()));
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        String setup = in.readLine();
        if (setup == null) {
            return;
        }
        try (ClientProcess process = new ClientProcess(JSON.readValue(setup, ClientSetup.class))) {
            tell(READY);
            for (String order = in.readLine(); order != null; order = in.readLine()) {
                tell(JSON.writeValueAsString(process.run(JSON.readValue(order, StepOrder.class))));
            }
        }
    }

    private static void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Does a step, and returns when every call of it has ended. */
    private WindowFigures run(StepOrder order) throws InterruptedException {
        turns.restart();
        long start = System.nanoTime();
        long begin = start + TimeUnit.MILLISECONDS.toNanos(order.leadMillis());
        MeasuringWindow window =
                new MeasuringWindow(begin, begin + TimeUnit.MILLISECONDS.toNanos(order.windowMillis()));
        SweepTally tally = new SweepTally(window);
        long retries = retries();
        try (CallLoad load = new CallLoad()) {
            addCallers(load, order, tally, start);
            window.awaitBegin();
            tell(BEGUN);
            window.awaitEnd();
            tell(ENDED);
            load.end();
        }
        tally.count(WindowFigures.LoadCount.RETRIES, retries() - retries);
        return tally.figures();
    }

    /** Clients are dealt out to the processes in turn, and those of each process to the data planes. */
    private void addCallers(CallLoad load, StepOrder order, SweepTally tally, long start) {
        PlannedStep plan = order.plan();
        SweepCaller.Shared shared = new SweepCaller.Shared(
                setup.mix(), setup.stock(), turns, Partition.of(order.partition()), buffer, tally);
        List<LongSupplier> schedules = new ArrayList<>();
        for (int plane = 0; plane < plan.dataPlanes(); plane++) {
            int place = plane * setup.processes() + setup.process();
            int places = plan.dataPlanes() * setup.processes();
            schedules.add(plan.hasRate() ? schedule(start, plan.rate(), place, places) : System::nanoTime);
        }
        for (int i = setup.process(); i < plan.clients(); i += setup.processes()) {
            // Not i alone: with two of both, a process would have clients of one data plane only.
            int plane = (i / setup.processes() + i % setup.processes()) % plan.dataPlanes();
            SweepCaller caller = new SweepCaller(clients.get(plane), shared);
            LongSupplier schedule = schedules.get(plane);
            load.with(1, _ -> {
                long due = schedule.getAsLong();
                if (tally.window.await(due)) {
                    caller.iterate(numbers.getAndIncrement(), plan.hasRate() ? System.nanoTime() - due : 0);
                }
                if (tally.count(WindowFigures.LoadCount.BYTES_WRITTEN) >= order.mostBytes()) {
                    tally.window.close(System.nanoTime());
                }
                if (tally.window.isOver(System.nanoTime())) {
                    load.stop();
                }
            });
        }
    }

    /**
     * When iterations of an open loop are due, one after the other: at even distances, whatever becomes of those
     * before. Each is given to one caller.
     *
     * @param start in readings of {@link System#nanoTime}
     * @param rate of all places together, a second
     * @param place which of all places this is, from 0
     */
    static LongSupplier schedule(long start, double rate, int place, int places) {
        AtomicLong number = new AtomicLong();
        return () -> start + Math.round((number.getAndIncrement() * places + place) * SECOND / rate);
    }

    private long retries() {
        return clients.stream().mapToLong(client -> client.counters().retries()).sum();
    }

    @Override
    public void close() {
        clients.forEach(KvClient::close);
    }
}
