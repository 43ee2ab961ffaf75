package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.demo.DemoClient.DemoClients;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.ProcessFigures;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The demo's course over a running stack of two data planes. For one thread. */
final class DemoRun {
    static final String COLD = "the first lookup finds nothing";
    static final String SHARED = "later conversations hit the system prompt that the first one wrote";
    static final String EXACT = "each turn hits exactly the blocks written before it";
    static final String RESTORED = "what a turn hits is restored byte for byte";
    static final String OTHER_HITS = "the other data plane hits every block, within 30 s of its acknowledgement";
    static final String OTHER_RESTORED = "the other data plane restores every block byte for byte";
    static final String AFTER_HITS = "after a restart of both data planes, every block is hit again";
    static final String AFTER_RESTORED = "after the restart, every block is restored byte for byte";
    static final String CLEAN = "the client saw no damaged block and no leak";

    // The promise of data planes: every other data plane of the region sees an acknowledged block within this time.
    private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);

    private final List<DemoConversation> conversations;
    private final int blockBytes;
    private final LocalStack stack;
    private final DemoClients clients;
    private final Consumer<String> progress;
    private final Partition partition = Partition.of("demo/model-1/bf16");
    private final Checks checks = new Checks();
    private final DemoEngine engine;
    private final Set<BlockHash> written = new HashSet<>();

    /** @param blockBytes length of each block's buffer */
    DemoRun(
            List<DemoConversation> conversations,
            int blockBytes,
            LocalStack stack,
            DemoClients clients,
            Consumer<String> progress) {
        this.conversations = conversations;
        this.blockBytes = blockBytes;
        this.stack = stack;
        this.clients = clients;
        this.progress = progress;
        this.engine = new DemoEngine(blockBytes, checks, () -> DataPlaneUse.of(stack.dataPlanes()));
        List.of(
                        RegistrationCheck.CHECK,
                        COLD,
                        EXACT,
                        RESTORED,
                        DemoEngine.STORED,
                        OTHER_HITS,
                        OTHER_RESTORED,
                        AFTER_HITS,
                        AFTER_RESTORED,
                        CLEAN)
                .forEach(checks::expect);
    }

    /**
     * @param library the client's, as the report has it
     * @param storage its kind, as the report has it
     */
    DemoReport run(String library, String storage) throws InterruptedException {
        List<ProcessFigures> started = processes(stack.startTimes());
        RegistrationCheck.ask(stack, checks, progress);
        DemoPhase talk = new DemoPhase("conversations");
        DemoPhase other = new DemoPhase("other data plane");
        DemoPhase after = new DemoPhase("after restart");
        double visibleMillis;
        try (DemoClient first = client(0);
                DemoClient second = client(1)) {
            progress.accept(
                    "conversations, turn by turn, through " + stack.dataPlane(0).endpoint());
            talk(first, talk);
            progress.accept("all of them through the other data plane, "
                    + stack.dataPlane(1).endpoint());
            visibleMillis = awaitVisible(second);
            fullRestore(second, other, OTHER_HITS, OTHER_RESTORED);
            checkClean(first, second);
        }
        List<ProcessFigures> busy = processes(stack.startTimes());
        progress.accept("restarting both data planes");
        List<Duration> restarts = new ArrayList<>();
        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            restarts.add(dataPlane.restart());
        }
        try (DemoClient first = client(0);
                DemoClient second = client(1)) {
            progress.accept("all of them again");
            fullRestore(first, after, AFTER_HITS, AFTER_RESTORED);
            checkClean(first, second);
        }
        return new DemoReport(
                checks.allPassed(),
                library,
                storage,
                conversations.size(),
                conversations.stream().mapToInt(DemoConversation::turns).sum(),
                conversations.stream().mapToLong(c -> c.tokens().length).sum(),
                partition.blockTokens(),
                blockBytes,
                written.size(),
                visibleMillis,
                List.of(talk.figures(), other.figures(), after.figures()),
                started,
                busy,
                processes(restarts),
                checks.all());
    }

    private DemoClient client(int dataPlane) throws InterruptedException {
        return clients.open(stack.dataPlane(dataPlane).endpoint());
    }

    /** Plays an inference engine: looks up each prompt, reads its stored blocks, computes the rest and writes them. */
    private void talk(DemoClient client, DemoPhase phase) throws InterruptedException {
        for (int i = 0; i < conversations.size(); i++) {
            DemoConversation conversation = conversations.get(i);
            for (int turn = 0; turn < conversation.turns(); turn++) {
                Prompt prompt = conversation.prompt(partition, turn);
                int hit = engine.lookup(client, prompt, phase);
                checkHit(i, turn, prompt.chain(), hit);
                engine.restore(client, prompt.prefix(hit), phase, RESTORED);
                engine.write(client, prompt, hit, phase);
                for (int block = hit; block < prompt.size(); block++) {
                    written.add(prompt.chain().hash(block));
                }
            }
            progress.accept("  conversation %d of %d: %d blocks written, %d restored"
                    .formatted(i + 1, conversations.size(), phase.blocksWritten.get(), phase.blocksRestored));
        }
    }

    private void checkHit(int conversation, int turn, BlockChain chain, int hit) {
        String where = "conversation " + (conversation + 1) + ", turn " + (turn + 1);
        int expected = 0;
        while (expected < chain.size() && written.contains(chain.hash(expected))) {
            expected++;
        }
        checks.equal(EXACT, expected, hit, where);
        if (conversation == 0 && turn == 0) {
            checks.equal(COLD, 0, hit, where);
        } else if (turn == 0) {
            checks.that(SHARED, hit > 0, where + ": no block hit");
        }
    }

    /** How long the last block takes to be seen through another data plane, counted from now. */
    private double awaitVisible(DemoClient client) throws InterruptedException {
        Prompt last = conversations.getLast().prompt(partition);
        long start = System.nanoTime();
        while (client.lookup(last) < last.size() && System.nanoTime() - start < VISIBLE_WITHIN.toNanos()) {
            LockSupport.parkNanos(POLL.toNanos());
        }
        return (System.nanoTime() - start) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    private void fullRestore(DemoClient client, DemoPhase phase, String hits, String restores)
            throws InterruptedException {
        for (DemoConversation conversation : conversations) {
            Prompt prompt = conversation.prompt(partition);
            int hit = engine.lookup(client, prompt, phase);
            checks.equal(hits, prompt.size(), hit, "blocks hit");
            engine.restore(client, prompt.prefix(hit), phase, restores);
        }
        progress.accept("  %d of %d blocks hit, %d restored"
                .formatted(phase.blocksHit, phase.blocksAsked, phase.blocksRestored));
    }

    private void checkClean(DemoClient... all) throws InterruptedException {
        for (DemoClient client : all) {
            checks.equal(CLEAN, 0, client.flaws(), "damaged or leaked");
        }
    }

    private List<ProcessFigures> processes(List<Duration> startTimes) {
        List<ProcessFigures> figures = new ArrayList<>();
        for (int i = 0; i < startTimes.size(); i++) {
            figures.add(ProcessFigures.of(stack.dataPlane(i), startTimes.get(i)));
        }
        return List.copyOf(figures);
    }
}
