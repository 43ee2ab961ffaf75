package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.StorageCalls;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.protocol.block.BlockChain;
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
    private final Partition partition;
    private final List<DemoConversation> conversations;
    private final int blockBytes;
    private final Checks checks;
    private final Consumer<String> progress;

    Failover(
            LocalStack stack,
            Partition partition,
            List<DemoConversation> conversations,
            int blockBytes,
            Checks checks,
            Consumer<String> progress) {
        this.stack = stack;
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
        try (KvClient client = client(regions.getFirst().name(), routes)) {
            checks.that(FOUND, awaitHits(client), "not within " + BACK_WITHIN.toSeconds() + " s");
            progress.accept("killing the data planes of " + regions.getFirst().name());
            home.forEach(StackDataPlane::kill);
            progress.accept("the same conversations, through " + regions.get(1).name());
            talk(client, new DemoEngine(partition, blockBytes, checks, new StorageCalls(other)), phase);
            progress.accept("starting them again");
            for (StackDataPlane dataPlane : home) {
                var _ = dataPlane.startAgain();
            }
            checks.that(BACK, awaitHits(client), "not within " + BACK_WITHIN.toSeconds() + " s");
            progress.accept("  by route " + client.counters().routeVersion() + ", "
                    + client.counters().failovers() + " attempts were made in the other region");
        }
        return phase;
    }

    private KvClient client(String region, Path routes) {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        return KvClient.builder()
                .controlPlane(control.address())
                .region(region)
                .routeCache(routes)
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .build();
    }

    /** As an inference engine would, which has to compute missing blocks. */
    private void talk(KvClient client, DemoEngine engine, DemoPhase phase) throws InterruptedException {
        for (DemoConversation conversation : conversations) {
            BlockChain chain = conversation.chain(partition);
            int hit = engine.lookup(client, chain, phase);
            engine.write(client, conversation, chain, hit, phase);
            int stored = engine.lookup(client, chain, phase);
            checks.equal(AWAY, chain.size(), stored, "blocks hit");
            engine.restore(client, chain.prefix(stored), phase, AWAY);
        }
        progress.accept("  %d blocks written, %d restored".formatted(phase.blocksWritten.get(), phase.blocksRestored));
    }

    /** Whether every block of every conversation is hit within the time there is. */
    private boolean awaitHits(KvClient client) {
        long start = System.nanoTime();
        while (!conversations.stream().allMatch(conversation -> isHit(client, conversation))) {
            if (System.nanoTime() - start > BACK_WITHIN.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return true;
    }

    private boolean isHit(KvClient client, DemoConversation conversation) {
        BlockChain chain = conversation.chain(partition);
        return client.lookup(partition, chain).cachedBlocks() == chain.size();
    }
}
