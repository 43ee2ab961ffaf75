package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.SdkClient;
import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.promise.PlaneTroubles;
import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.promise.SdkPromises;
import dev.kvstore.simulation.sockets.SimulatedSockets;
import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.SdkStep;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The clients of the SDK of a history, one after the other. For the thread of its world. */
final class SdkClients {
    /** The time after which nothing of a closed client is left: 5 s for operations, and 5 s for its network threads. */
    static final long GONE = Duration.ofSeconds(11).toNanos();

    private final World world;
    private final SimulatedSockets sockets;
    private final Promises promises;
    private final SdkPromises sdkPromises;
    private final Story story;
    private final LongSupplier faults;
    private final SimulatedHost director;
    private final PlaneTroubles troubles = new PlaneTroubles();
    private final long borrowedBefore = SdkClient.borrowedBytes();
    private OpenSdkClient open;
    private int operations;

    private record OpenSdkClient(SdkClient client, CheckedSdkCalls calls) {}

    /**
     * @param faults gives the time until which storage has failed, or will fail, any data plane
     * @param hasFaults whether the history has faults
     */
    SdkClients(
            World world,
            SimulatedSockets sockets,
            Promises promises,
            Story story,
            LongSupplier faults,
            boolean hasFaults) {
        this.world = world;
        this.sockets = sockets;
        this.promises = promises;
        this.story = story;
        this.faults = faults;
        this.sdkPromises = new SdkPromises(hasFaults);
        this.director = new SimulatedHost(world, "director of the SDK");
        this.open = open();
    }

    private OpenSdkClient open() {
        SdkClient client = new SdkClient(world, Plan.CLIENTS, sockets, SimulatedBlocks.PROMPTS, Plan.NAMES);
        return new OpenSdkClient(
                client,
                new CheckedSdkCalls(world, client, promises, sdkPromises, story, faults, troubles, () -> ++operations));
    }

    /** A step of the history begins, for clients of the SDK or not. */
    void hear(HistoryStep step) {
        troubles.hear(step, world.nanos());
    }

    void begin(SdkStep step) {
        if (step instanceof SdkStep.Restart) {
            close();
            open = open();
        } else {
            CheckedSdkCalls calls = open.calls;
            open.client.execute(() -> calls.begin(step));
        }
    }

    /** Closes the open client, and looks later whether threads or blocks of it are left. */
    void close() {
        OpenSdkClient closed = open;
        closed.client.execute(closed.calls::close);
        var _ = world.alarm(director, GONE, () -> lookBack(closed.client));
    }

    private void lookBack(SdkClient closed) {
        sdkPromises.closed(closed.leftovers());
    }

    /** Asks for all of these prompts. */
    void lookAtAll(List<Integer> prompts) {
        sdkPromises.expectAnswers(world.nanos());
        CheckedSdkCalls calls = open.calls;
        open.client.execute(() -> calls.lookAtAll(prompts));
    }

    /** Whether an application waits for an answer of the open client. */
    boolean isUsed() {
        return open.client.isUsed();
    }

    /** The promises that were broken, at the end of the history. */
    List<String> broken() {
        List<String> broken = new ArrayList<>(sdkPromises.broken());
        long borrowed = SdkClient.borrowedBytes() - borrowedBefore;
        if (borrowed > 0) {
            broken.add("SDK: closed clients hold " + borrowed + " bytes of network memory");
        }
        return broken;
    }
}
