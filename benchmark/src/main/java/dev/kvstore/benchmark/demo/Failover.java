package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.StorageCalls;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.protocol.block.Partition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Shows the effects on a client of the first region, which knows only the control plane, when that region goes and
 * comes back.
 */
final class Failover {
    static final String FOUND = "a client that knows only the control plane, its key and its region hits every block";
    static final String AWAY =
            "with the region's data planes killed, the other region takes what is written and restores it byte for byte";
    static final String BACK = "when they are back, so are their blocks";

    // Keys come back to a level that was away over 30 s; before that, a lease and a route.
    private static final Duration BACK_WITHIN = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(100);

    private final LocalStack stack;
    private final DemoClients clients;
    private final Partition partition;
    private final List<DemoConversation> conversations;
    private final int blockBytes;
    private final Checks checks;
    private final Consumer<String> progress;

    Failover(
            LocalStack stack,
            DemoClients clients,
            Partition partition,
            List<DemoConversation> conversations,
            int blockBytes,
            Checks checks,
            Consumer<String> progress) {
        this.stack = stack;
        this.clients = clients;
        this.partition = partition;
        this.conversations = conversations;
        this.blockBytes = blockBytes;
        this.checks = checks;
        this.progress = progress;
    }

    /** Announces the checks that have to hold. */
    static void expect(Checks checks) {
        List.of(FOUND, AWAY, BACK).forEach(checks::expect);
    }

    /**
     * Kills the first region and starts it again.
     *
     * @param routes where the client keeps its routes
     * @return the work of the other region meanwhile
     */
    DemoPhase run(Path routes) throws InterruptedException {
        List<StackLayout.Region> regions = stack.layout().regions();
        List<StackDataPlane> home = stack.dataPlanes(regions.getFirst().name());
        List<StackDataPlane> other = stack.dataPlanes(regions.get(1).name());
        DemoPhase phase = new DemoPhase("other region");
        try (DemoClient client = client(regions.getFirst().name(), routes)) {
            checks.that(FOUND, awaitHits(client), "not within " + BACK_WITHIN.toSeconds() + " s");
            progress.accept("killing the data planes of " + regions.getFirst().name());
            home.forEach(StackDataPlane::kill);
            progress.accept("the same conversations, through " + regions.get(1).name());
            talk(client, new DemoEngine(blockBytes, checks, new StorageCalls(other)), phase);
            progress.accept("starting them again");
            for (StackDataPlane dataPlane : home) {
                var _ = dataPlane.startAgain();
            }
            checks.that(BACK, awaitHits(client), "not within " + BACK_WITHIN.toSeconds() + " s");
            progress.accept("  " + client.about());
        }
        return phase;
    }

    private DemoClient client(String region, Path routes) throws InterruptedException {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        return clients.routed(control.address(), region, routes);
    }

    /** As an inference engine would, which has to compute missing blocks. */
    private void talk(DemoClient client, DemoEngine engine, DemoPhase phase) throws InterruptedException {
        for (DemoConversation conversation : conversations) {
            DemoPrompt prompt = conversation.prompt(partition);
            int hit = engine.lookup(client, prompt, phase);
            engine.write(client, prompt, hit, phase);
            int stored = engine.lookup(client, prompt, phase);
            checks.equal(AWAY, prompt.size(), stored, "blocks hit");
            engine.restore(client, prompt.prefix(stored), phase, AWAY);
        }
        progress.accept("  %d blocks written, %d restored".formatted(phase.blocksWritten.get(), phase.blocksRestored));
    }

    /** Whether every block of every conversation is hit within the time there is. */
    private boolean awaitHits(DemoClient client) throws InterruptedException {
        long start = System.nanoTime();
        while (!isHit(client)) {
            if (System.nanoTime() - start > BACK_WITHIN.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return true;
    }

    private boolean isHit(DemoClient client) throws InterruptedException {
        for (DemoConversation conversation : conversations) {
            DemoPrompt prompt = conversation.prompt(partition);
            if (client.lookup(prompt) < prompt.size()) {
                return false;
            }
        }
        return true;
    }
}
