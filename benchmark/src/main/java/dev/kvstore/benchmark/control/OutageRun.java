package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.control.ControlReport.OutageFigures;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.measure.PhaseTally;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Kills a stack's control plane and starts it again, while a caller of each kind at each data plane looks up, reads and
 * writes, each request tried once, each caller with a key of its own that the data plane knows. For one thread.
 */
final class OutageRun {
    private static final int SECONDS_BEFORE = 3;
    private static final int SECONDS_AFTER = 2;
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long POLL_MILLIS = 20;
    private static final String WATCHES = "kvstore_account_watch_connected";

    private static final String THERE = "control plane there";
    private static final String GONE = "control plane gone";

    private static final Partition PARTITION = Partition.of("outage", 16);
    private static final int PROMPTS = 20;
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 16 * 1024;

    // Some hundred requests a second of each kind: a load, not the most that the machine can do.
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final LocalStack stack;
    private final StackControlPlane control;
    private final int seconds;
    private final Consumer<String> progress;
    private final PhaseTally tally = new PhaseTally(THERE);
    private final List<KvClient> clients = new ArrayList<>();
    private final AtomicLong numbers = new AtomicLong();

    OutageRun(LocalStack stack, int seconds, Consumer<String> progress) {
        this.stack = stack;
        this.control = Objects.requireNonNull(stack.controlPlane());
        this.seconds = seconds;
        this.progress = progress;
    }

    OutageFigures run() throws InterruptedException {
        // A control plane that comes back has the same address.
        try (AdminCalls admin = AdminCalls.of(stack);
                CallLoad load = new CallLoad()) {
            ApiKey doomed = admin.newKey(LocalStack.TENANT);
            if (KeyTrial.TAKEN.millisUntil(stack, doomed.text()) >= KeyTrial.PATIENCE_MILLIS) {
                throw new LaunchException("a data plane does not take a key that was just made");
            }
            for (String endpoint : stack.endpoints()) {
                begin(load, endpoint, admin);
            }
            TimeUnit.SECONDS.sleep(SECONDS_BEFORE);
            progress.accept("killing the control plane for " + seconds + " s");
            control.kill();
            tally.begin(GONE, Double.MAX_VALUE);
            long killed = System.nanoTime();
            TimeUnit.SECONDS.sleep(seconds);
            double outageSeconds = (System.nanoTime() - killed) / 1e9;

            progress.accept("starting it again");
            double restartMillis = control.startAgain().toMillis();
            tally.begin(THERE, Double.MAX_VALUE);
            double watchAgainMillis = untilWatched();

            progress.accept("making a key and revoking another");
            ApiKey made = admin.newKey(LocalStack.TENANT);
            double newKeyMillis = KeyTrial.TAKEN.millisUntil(stack, made.text());
            admin.delete("tenants", LocalStack.TENANT, "keys", doomed.id());
            double revokedMillis = KeyTrial.REFUSED.millisUntil(stack, doomed.text());
            TimeUnit.SECONDS.sleep(SECONDS_AFTER);
            load.end();
            Map<String, Percentiles> gone = tally.latencies(GONE);
            return new OutageFigures(
                    outageSeconds,
                    restartMillis,
                    watchAgainMillis,
                    tally.requests(),
                    gone.values().stream().mapToLong(Percentiles::count).sum(),
                    tally.failed(),
                    tally.failures(),
                    tally.pauseMillis(),
                    tally.latencies(THERE),
                    gone,
                    newKeyMillis,
                    revokedMillis);
        } finally {
            clients.forEach(KvClient::close);
        }
    }

    private void begin(CallLoad load, String endpoint, AdminCalls admin) throws InterruptedException {
        PromptCalls lookups = calls(endpoint, admin);
        PromptCalls reads = calls(endpoint, admin);
        PromptCalls writes = calls(endpoint, admin);
        List<Prompt> prompts =
                IntStream.range(0, PROMPTS).mapToObj(_ -> next(BLOCKS)).toList();
        prompts.forEach(writes::write);
        load.pausing(1, PAUSE, number -> count("lookup", () -> lookups.lookUp(prompts.get(number % PROMPTS))));
        load.pausing(1, PAUSE, number -> count("read", () -> reads.stream(prompts.get(number % PROMPTS))));
        load.pausing(1, PAUSE, _ -> {
            Prompt prompt = next(1);
            count("write", () -> {
                writes.write(prompt);
                return 0;
            });
        });
    }

    private PromptCalls calls(String endpoint, AdminCalls admin) throws InterruptedException {
        KvClient client =
                KeyTrial.client(endpoint, admin.newKey(LocalStack.TENANT).text());
        clients.add(client);
        return new PromptCalls(client, BLOCK_BYTES);
    }

    private Prompt next(int blocks) {
        return Prompt.of(PARTITION, numbers.getAndIncrement(), blocks);
    }

    private void count(String kind, IntSupplier request) {
        tally.count(kind, () -> {
            if (request.getAsInt() > 0) {
                throw new IllegalStateException("blocks are missing");
            }
            return 0;
        });
    }

    private double untilWatched() throws InterruptedException {
        long start = System.nanoTime();
        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            while (dataPlane.metrics().sum(WATCHES) < 1) {
                if ((System.nanoTime() - start) / 1e6 > PATIENCE_MILLIS) {
                    throw new LaunchException(dataPlane.name() + " does not watch the control plane again; its log: "
                            + dataPlane.process().log());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }
}
