package dev.kvstore.simulation.history;

import com.google.protobuf.ByteString;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.simulation.fleet.SdkClient;
import dev.kvstore.simulation.fleet.SimulatedPrompts;
import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.promise.PlaneTroubles;
import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.promise.SdkPromises;
import dev.kvstore.simulation.step.kind.SdkStep;
import dev.kvstore.simulation.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations of one client of the SDK, tells the story their results, and holds these against the promises. The
 * methods wait, on threads of the client's host.
 */
final class CheckedSdkCalls {
    /** Stands for a data plane: the client does not tell which one it asked. */
    private static final int SOME_PLANE = -1;

    private static final long MILLI = 1_000_000;
    private static final long LONG_MILLIS = 20_000;

    /** A client that is closed waits so long for its operations. */
    private static final long CLOSING = 5_000 * MILLI;

    private final World world;
    private final SdkClient client;
    private final Promises promises;
    private final SdkPromises sdkPromises;
    private final Story story;
    private final LongSupplier faults;
    private final PlaneTroubles troubles;
    private final IntSupplier operations;
    private long closedAt = Long.MAX_VALUE;
    private int reads;
    private int asyncCalls;

    /**
     * @param faults gives the time until which storage has failed, or will fail, any data plane
     * @param operations gives another number for each operation: the promises of one data plane do not bind another one
     */
    CheckedSdkCalls(
            World world,
            SdkClient client,
            Promises promises,
            SdkPromises sdkPromises,
            Story story,
            LongSupplier faults,
            PlaneTroubles troubles,
            IntSupplier operations) {
        this.world = world;
        this.client = client;
        this.promises = promises;
        this.sdkPromises = sdkPromises;
        this.story = story;
        this.faults = faults;
        this.troubles = troubles;
        this.operations = operations;
    }

    void begin(SdkStep step) {
        switch (step) {
            case SdkStep.LookUp(int prompt, long deadline) -> lookUp(prompt, deadline);
            case SdkStep.ReadBlock(int prompt, int block, long deadline) -> read(prompt, block, deadline);
            case SdkStep.ReadPrompt read -> readAll(read);
            case SdkStep.WritePrompt write -> writing(() -> write(write));
            case SdkStep.StreamPrompt write -> writing(() -> stream(write));
            case SdkStep.Restart _ -> throw new IllegalArgumentException("is for the owner of clients");
        }
    }

    /** Looks up and reads these prompts, when all faults are long over. */
    void lookAtAll(List<Integer> prompts) {
        for (int prompt : prompts) {
            lookUp(prompt, LONG_MILLIS);
            readAll(new SdkStep.ReadPrompt(prompt, LONG_MILLIS, 0, 0));
            read(prompt, 0, LONG_MILLIS);
        }
    }

    private static CallOptions within(long millis) {
        return CallOptions.DEFAULT.withDeadline(Duration.ofMillis(millis));
    }

    private boolean isClosed() {
        return closedAt != Long.MAX_VALUE;
    }

    /**
     * The time by which an operation is over in any case. The network threads of a closed client sleep while they end,
     * so that a deadline may be late.
     *
     * @param begun the time at which the application began to wait for the operation
     */
    private long due(long asked, long begun, long deadlineMillis) {
        return isClosed() ? Math.max(begun, closedAt) + CLOSING : Math.max(begun, asked + deadlineMillis * MILLI);
    }

    /**
     * Runs one operation of the asynchronous client; returns null if it failed, after telling the promises of the
     * failure.
     */
    private <T> @Nullable T call(String what, long deadlineMillis, Supplier<CompletableFuture<T>> call) {
        int besides = asyncCalls++;
        long asked = world.nanos();
        try {
            return call.get().join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof KvStoreException failure)) {
                throw e;
            }
            failed(what, failure, asked, besides);
            if (deadlineMillis >= LONG_MILLIS) {
                failedPatiently(what, failure, asked);
            }
            return null;
        } finally {
            asyncCalls--;
            sdkPromises.ended(what, due(asked, asked, deadlineMillis), world.nanos());
        }
    }

    private void failed(String what, KvStoreException failure, long asked, int besides) {
        failed(what, failure, asked, world.nanos(), besides);
    }

    private void failed(String what, KvStoreException failure, long asked, long ended, int besides) {
        story.say("SDK does not " + what + ": " + failure.getMessage());
        sdkPromises.failed(what, failure, asked, ended - closedAt, besides);
    }

    /** An operation failed although the data planes had at least 20 s for it. */
    private void failedPatiently(String what, KvStoreException failure, long asked) {
        boolean isOfPlane = failure.code() == ErrorCode.UNAVAILABLE || failure.code() == ErrorCode.DEADLINE_EXCEEDED;
        if (!isClosed() && isOfPlane && troubles.isAnyWell(asked)) {
            sdkPromises.failedBesideAWellOne(what, failure);
        }
    }

    void lookUp(int prompt, long deadline) {
        BlockChain chain = client.chain(prompt, Plan.BLOCKS);
        long asked = world.nanos();
        var prefix = call(
                "look up prompt " + prompt,
                deadline,
                () -> client.async().lookup(SimulatedPrompts.PARTITION, chain, within(deadline)));
        if (prefix == null) {
            return;
        }
        int found = prefix.cachedBlocks();
        story.say("SDK finds " + found + " blocks of prompt " + prompt);
        if (found < Plan.BLOCKS) {
            promises.denied(
                    SimulatedBlocks.name(prompt, found),
                    SOME_PLANE,
                    operations.getAsInt(),
                    asked,
                    world.nanos(),
                    faults.getAsLong());
        } else {
            promises.found();
        }
    }

    void read(int prompt, int block, long deadline) {
        BlockChain chain = client.chain(prompt, Plan.BLOCKS);
        String name = SimulatedBlocks.name(prompt, block);
        long asked = world.nanos();
        int besides = asyncCalls++;
        try {
            Block found = client.async()
                    .readBlock(chain.location(block), within(deadline))
                    .join();
            served(found, chain, prompt, block, 0, asked);
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof KvStoreException failure)) {
                throw e;
            }
            if (failure.code() == ErrorCode.NOT_FOUND) {
                missing(name, asked);
            } else {
                failed("read " + name, failure, asked, besides);
            }
        } finally {
            asyncCalls--;
            sdkPromises.ended("read " + name, due(asked, asked, deadline), world.nanos());
        }
    }

    private void missing(String name, long asked) {
        story.say("SDK does not find " + name);
        promises.missing(name, SOME_PLANE, operations.getAsInt(), asked);
    }

    /** Holds a block against the promises, and gives it back. */
    private void served(Block found, BlockChain chain, int prompt, int block, int index, long asked) {
        try (found) {
            String name = SimulatedBlocks.name(prompt, block);
            if (found.index() != index
                    || !found.hash().equals(chain.hash(block))
                    || !found.parent().equals(chain.parent(block))) {
                sdkPromises.misplaced("in place " + index + " is " + found.index() + " of " + found.hash());
            }
            ByteBuffer bytes = ByteBuffer.allocate(found.length());
            found.copyTo(bytes);
            int content = SimulatedPrompts.content(ByteString.copyFrom(bytes.flip()), prompt, block);
            story.say("SDK reads content " + content + " of " + name);
            promises.served(name, content, SOME_PLANE, operations.getAsInt(), asked, world.nanos());
        }
    }

    private void readAll(SdkStep.ReadPrompt read) {
        BlockChain chain = client.chain(read.prompt(), Plan.BLOCKS);
        String what = "read prompt " + read.prompt();
        long asked = world.nanos();
        int besides = reads++;
        try (BlockStream blocks = client.blocking().read(chain, within(read.deadlineMillis()))) {
            int next = 0;
            for (BlockResult result = next(blocks, what, asked, read.deadlineMillis());
                    result != null;
                    result = next(blocks, what, asked, read.deadlineMillis())) {
                result(result, chain, read.prompt(), next++, asked);
                disturb(next, read.pauseMillis(), read.breakAfter());
            }
            if (next != Plan.BLOCKS) {
                sdkPromises.misplaced("a stream ends well after " + next + " blocks");
            }
        } catch (KvStoreException e) {
            failed(what, e, asked, besides);
            if (read.deadlineMillis() >= LONG_MILLIS && read.pauseMillis() == 0) {
                failedPatiently(what, e, asked);
            }
        } finally {
            reads--;
        }
    }

    private @Nullable BlockResult next(BlockStream blocks, String what, long asked, long deadlineMillis) {
        long begun = world.nanos();
        try {
            return blocks.next();
        } finally {
            sdkPromises.ended(what, due(asked, begun, deadlineMillis), world.nanos());
        }
    }

    private void result(BlockResult result, BlockChain chain, int prompt, int next, long asked) {
        String name = SimulatedBlocks.name(prompt, next);
        switch (result) {
            case BlockResult.Found found -> served(found.block(), chain, prompt, next, next, asked);
            case BlockResult.Missing gone -> {
                if (gone.index() != next || !gone.location().equals(chain.location(next))) {
                    sdkPromises.misplaced("missing in place " + next + " is " + gone.index());
                }
                missing(name, asked);
            }
            case BlockResult.Failed failed -> {
                if (failed.index() != next) {
                    sdkPromises.misplaced("failed in place " + next + " is " + failed.index());
                }
                // The failure came before the reader takes it, while the client was open.
                failed("read " + name, failed.reason(), asked, asked, SdkClient.ASYNC_CALLS);
            }
        }
    }

    private void disturb(int done, long pauseMillis, int breakAfter) {
        if (done == breakAfter) {
            story.say("all connections of the SDK break");
            troubles.all(world.nanos());
            Plan.NAMES.forEach(client::breakConnections);
        }
        if (done == 1 && pauseMillis > 0) {
            SdkClient.pause(pauseMillis);
        }
    }

    private void writing(Runnable write) {
        promises.writing();
        try {
            write.run();
        } finally {
            promises.wrote(world.nanos());
        }
    }

    private void write(SdkStep.WritePrompt write) {
        BlockChain chain = client.chain(write.prompt(), write.blocks());
        for (int i = 0; i < write.blocks(); i++) {
            int block = i;
            long asked = world.nanos();
            WriteResult result = call(
                    "write " + SimulatedBlocks.name(write.prompt(), block),
                    write.deadlineMillis(),
                    () -> client.async()
                            .write(
                                    SimulatedPrompts.PARTITION,
                                    client.block(chain, write.prompt(), block, write.content()),
                                    within(write.deadlineMillis())));
            if (result == null) {
                return;
            }
            acknowledged(result, chain, write.prompt(), block, write.content(), asked);
        }
    }

    private void acknowledged(WriteResult result, BlockChain chain, int prompt, int block, int content, long asked) {
        String name = SimulatedBlocks.name(prompt, block);
        story.say("SDK says " + result.outcome() + " of " + name + ", content " + content);
        if (!result.location().equals(chain.location(block))) {
            sdkPromises.misplaced("written in place of " + name + " is " + result.location());
        }
        if (result.outcome() == WriteResult.Outcome.STORED) {
            promises.stored(name, SOME_PLANE, operations.getAsInt(), content, asked, world.nanos());
        } else {
            promises.alreadyPresent(name, SOME_PLANE, operations.getAsInt(), asked, world.nanos());
        }
    }

    private void stream(SdkStep.StreamPrompt write) {
        BlockChain chain = client.chain(write.prompt(), write.blocks());
        String what = "stream prompt " + write.prompt();
        long asked = world.nanos();
        List<CompletableFuture<WriteResult>> results = new ArrayList<>();
        // A writer that has failed refuses later blocks with the same failure.
        Map<Throwable, Long> failedAt = new HashMap<>();
        try (BlockWriter writer =
                client.blocking().writer(SimulatedPrompts.PARTITION, chain, within(write.deadlineMillis()))) {
            for (int block = 0; block < write.blocks(); block++) {
                results.add(writer.write(client.block(chain, write.prompt(), block, write.content()))
                        .whenComplete((_, failure) -> {
                            if (failure != null) {
                                failedAt.putIfAbsent(failure, world.nanos());
                            }
                        }));
                disturb(block + 1, write.pauseMillis(), write.breakAfter());
            }
            long begun = world.nanos();
            writer.finish();
            sdkPromises.ended(what, due(asked, begun, write.deadlineMillis()), world.nanos());
        } catch (KvStoreException e) {
            failed(what, e, asked, SdkClient.ASYNC_CALLS);
        }
        for (int block = 0; block < results.size(); block++) {
            outcome(results.get(block), chain, write, block, asked, failedAt);
        }
    }

    /** Holds the result of a block against the promises, after its writer has finished. */
    private void outcome(
            CompletableFuture<WriteResult> result,
            BlockChain chain,
            SdkStep.StreamPrompt write,
            int block,
            long asked,
            Map<Throwable, Long> failedAt) {
        try {
            acknowledged(result.join(), chain, write.prompt(), block, write.content(), asked);
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof KvStoreException failure)) {
                throw e;
            }
            String what = "write " + SimulatedBlocks.name(write.prompt(), block);
            failed(what, failure, asked, failedAt.getOrDefault(failure, world.nanos()), SdkClient.ASYNC_CALLS);
        }
    }

    /** Closes the client. */
    void close() {
        sdkPromises.counted(client.blocking().counters());
        closedAt = world.nanos();
        client.blocking().close();
        sdkPromises.ended("close", closedAt + CLOSING, world.nanos());
    }
}
