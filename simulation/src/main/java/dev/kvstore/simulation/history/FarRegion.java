package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.Client;
import dev.kvstore.simulation.fleet.RegionAccount;
import dev.kvstore.simulation.fleet.RestartingFleet;
import dev.kvstore.simulation.fleet.SimulatedNetwork;
import dev.kvstore.simulation.promise.Disturbances;
import dev.kvstore.simulation.promise.OriginPromises;
import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.storage.SimulatedContainer;
import dev.kvstore.simulation.storage.StorageMood;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Another region: its own container, one data plane, and clients that ask only this data plane, which reads through to
 * the container of the home region. For the thread of its world.
 */
final class FarRegion {
    private static final List<String> NAMES = List.of("far");
    private static final int PLANE = 0;

    /** A process that starts needs this time to learn which blocks the home region has. */
    private static final long STARTING = Duration.ofSeconds(10).toNanos();

    private final World world;
    private final Story story;
    private final OriginPromises origin;
    private final Promises promises;
    private final SimulatedContainer container;
    private final RestartingFleet fleet;
    private final SimulatedHost clients;
    private final SimulatedHost director;
    private final Client client;
    private final CheckedCalls calls;
    private final Disturbances disturbances = new Disturbances();
    private long failed = Long.MIN_VALUE / 2;

    /**
     * @param home the container of the home region
     * @param ofHome the promises about that container
     */
    FarRegion(World world, SimulatedNetwork network, SimulatedContainer home, Promises ofHome, Story story) {
        this.world = world;
        this.story = story.from("far");
        this.origin = new OriginPromises(ofHome);
        this.promises = new Promises(this::end, origin);
        this.container = new SimulatedContainer(new BlobChanges(world, promises, this.story, _ -> {}));
        this.fleet = new RestartingFleet(world, network, new RegionAccount(container, home), NAMES, null);
        this.clients = new SimulatedHost(world, "far clients");
        this.director = new SimulatedHost(world, "far director");
        this.client = new Client(clients, network, SimulatedBlocks.PROMPTS);
        this.calls = new CheckedCalls(world, fleet, client, promises, this.story, _ -> failed, disturbances);
        connect();
    }

    /** The time at which a process of the data plane ended. */
    private long end(int plane, int life) {
        return fleet.end(plane, life);
    }

    /** Makes new connections. */
    void connect() {
        clients.execute(() -> client.connect(NAMES));
    }

    /** The home region, or its storage, has a fault until then. */
    void otherFails(long until) {
        origin.fails(until);
    }

    /** The files by which the home region tells of its blocks were damaged or deleted. */
    void otherIsSpoilt() {
        origin.spoilt();
    }

    /** @param lasting gives the nanoseconds that a fault lasts which is to last so many milliseconds */
    void begin(HistoryStep.InFarRegion step, LongUnaryOperator lasting) {
        switch (step) {
            case HistoryStep.CallFar(HistoryStep call) -> clients.execute(() -> call(call));
            case HistoryStep.KillFar(long millis) -> {
                long nanos = lasting.applyAsLong(millis);
                disturb(new HistoryStep.Kill(PLANE, millis), nanos + STARTING);
                fleet.kill(PLANE, nanos);
            }
            case HistoryStep.FreezeFar(long millis) -> freeze(millis, lasting.applyAsLong(millis));
            case HistoryStep.MoodFar(StorageMood mood, long millis) -> {
                long nanos = lasting.applyAsLong(millis);
                disturb(new HistoryStep.Mood(PLANE, mood, millis), nanos);
                failed = Math.max(failed, world.nanos() + nanos);
                fleet.mood(PLANE, mood);
                var _ = world.alarm(director, nanos, () -> fleet.mood(PLANE, StorageMood.CALM));
            }
            case HistoryStep.MoodBetweenRegions(StorageMood mood, long millis) -> {
                long nanos = lasting.applyAsLong(millis);
                origin.fails(world.nanos() + nanos);
                fleet.moodThere(PLANE, mood);
                var _ = world.alarm(director, nanos, () -> fleet.moodThere(PLANE, StorageMood.CALM));
            }
            case HistoryStep.StepClockFar(long millis) -> {
                SimulatedHost host = fleet.host(PLANE);
                if (host != null) {
                    host.stepClock(Duration.ofMillis(millis).toNanos());
                }
            }
            case HistoryStep.LoseFar(int prompt, int block) -> container.lose(SimulatedBlocks.blob(prompt, block));
        }
    }

    private void call(HistoryStep call) {
        switch (call) {
            case HistoryStep.LookUp(int _, int prompt) -> calls.lookUp(PLANE, prompt);
            case HistoryStep.ReadBlock(int _, int prompt, int block) -> calls.read(PLANE, prompt, block);
            case HistoryStep.ReadPrompt(int _, int prompt) -> calls.readAll(PLANE, prompt);
            case HistoryStep.WritePrompt write -> calls.write(write);
            default -> throw new IllegalArgumentException("no call of far clients: " + call);
        }
    }

    private void freeze(long millis, long nanos) {
        SimulatedHost host = fleet.host(PLANE);
        if (host != null) {
            host.freeze();
            failed = Math.max(failed, world.nanos() + nanos);
            disturb(new HistoryStep.Freeze(PLANE, millis), nanos);
            var _ = world.alarm(director, nanos, host::thaw);
        }
    }

    private void disturb(HistoryStep fault, long nanos) {
        disturbances.begin(fault, _ -> world.nanos() + nanos);
        promises.disturbed(world.nanos(), world.nanos() + nanos);
        origin.fails(world.nanos() + nanos);
    }

    /** All faults are over. */
    void calm() {
        fleet.mood(PLANE, StorageMood.CALM);
        fleet.moodThere(PLANE, StorageMood.CALM);
    }

    /** Looks at these prompts once more; all faults are long over. */
    void lookAtAll(List<Integer> prompts) {
        calls.expectAnswers();
        ask(prompts);
    }

    /** Asks for these prompts: the first questions after a failure may be in vain. */
    void ask(List<Integer> prompts) {
        for (int prompt : prompts) {
            clients.execute(() -> {
                calls.lookUp(PLANE, prompt);
                calls.readAll(PLANE, prompt);
            });
        }
    }

    /** Whether a client waits for an answer. */
    boolean isAsked() {
        return clients.threads() > 0;
    }

    boolean isKnown(String block) {
        return promises.isKnown(block);
    }

    /** The memory and call slots that the process holds, and must not hold while it has no call. */
    List<String> leaks() {
        return fleet.leaks();
    }

    /** The promises that were broken in this region. */
    List<String> broken() {
        return promises.broken().stream().map(broken -> "far: " + broken).toList();
    }

    long answers() {
        return promises.answers();
    }

    void close() {
        fleet.close();
    }
}
