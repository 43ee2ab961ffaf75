package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.Client;
import dev.kvstore.simulation.fleet.Impatience;
import dev.kvstore.simulation.fleet.RegionAccount;
import dev.kvstore.simulation.fleet.RestartingFleet;
import dev.kvstore.simulation.fleet.SimulatedNetwork;
import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.promise.Disturbances;
import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.sockets.SimulatedSockets;
import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.ControlPlaneStep;
import dev.kvstore.simulation.step.kind.InjectedFault;
import dev.kvstore.simulation.step.kind.SdkStep;
import dev.kvstore.simulation.storage.SimulatedContainer;
import dev.kvstore.simulation.storage.StorageMood;
import dev.kvstore.simulation.world.HistoryOutcome;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs a plan, and holds each answer against the promises. For one thread. */
final class History {
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final long SHORTEST = Duration.ofMillis(100).toNanos();

    /** The pause between the plan and the last look at everything, which is longer than any promise takes. */
    private static final long QUIET = Duration.ofSeconds(75).toNanos();

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Clients first ask another region for all prompts so long before the last look. */
    private static final long FIRST = Duration.ofSeconds(6).toNanos();

    /** The last look takes so long at most. */
    private static final long LAST = Duration.ofSeconds(40).toNanos();

    /** Servers end their other work within this time after the last answer. */
    private static final long SETTLED = Duration.ofSeconds(5).toNanos();

    /** With control planes, processes hear of a new process within this time. */
    private static final long REGISTERED = Duration.ofSeconds(60).toNanos();

    /** A process that stops may take so long for its last beats. */
    private static final long LAST_WORDS = Duration.ofSeconds(12).toNanos();

    /** A number for each world, because the whole JVM shares the names of in-process servers. */
    private static final AtomicLong WORLDS = new AtomicLong();

    private final Plan plan;
    private final World world;
    private final Story story;
    private final Promises promises;
    private final SimulatedContainer container;
    private final SimulatedNetwork network;
    private final @Nullable ControlledFleet controlled;
    private final RestartingFleet fleet;
    private final Client client;
    private final CheckedCalls calls;
    private final List<HistoryStep.Ambush> ambushes = new ArrayList<>();
    private final FaultInjector injector;
    private final RepeatedLogs logs;
    private final Disturbances disturbances = new Disturbances();
    private final SimulatedHost clients;
    private final SimulatedHost director;
    private final long[] failed = new long[Plan.PLANES];
    private final @Nullable SdkClients sdk;
    private final @Nullable FarRegion far;

    /** Takes the steps of the ambushes that wait for a change of this blob. */
    private void spring(String file) {
        for (HistoryStep.Ambush ambush : List.copyOf(ambushes)) {
            if (file.startsWith(ambush.file()) && ambushes.remove(ambush)) {
                var _ = world.alarm(director, 0, () -> {
                    story.say("ambush " + ambush.next());
                    begin(ambush.next(), calls);
                });
            }
        }
    }

    private final class EndingFaults implements FaultInjector.FaultTimes {
        @Override
        public long lasting(long millis) {
            return History.this.lasting(millis);
        }

        @Override
        public void fails(int plane, long nanos) {
            failed[plane] = Math.max(failed[plane], world.nanos() + nanos);
        }
    }

    /** @param hasControlPlanes whether control planes tell data planes of each other; if not, the fleet does */
    History(long seed, Plan plan, boolean hasControlPlanes) {
        this.plan = plan;
        this.world = new World(seed);
        this.story = new Story(world);
        Arrays.fill(failed, Long.MIN_VALUE / 2);
        this.network = new SimulatedNetwork(world, "world-" + WORLDS.incrementAndGet() + "-");
        this.promises = new Promises(this::end);
        this.container = new SimulatedContainer(new BlobChanges(world, promises, story, this::spring));
        this.controlled = hasControlPlanes ? new ControlledFleet(world, network, promises, story, this::begin) : null;
        SimulatedSockets sockets = plan.has(HistoryStep.OfSdk.class) ? network.openSockets() : null;
        this.fleet = new RestartingFleet(
                world,
                network,
                new RegionAccount(container, null),
                Plan.NAMES,
                controlled == null ? null : ControlledFleet.CLUSTER);
        this.logs = new RepeatedLogs(container);
        this.clients = new SimulatedHost(world, Plan.CLIENTS);
        this.director = new SimulatedHost(world, "director");
        this.client = new Client(clients, network, SimulatedBlocks.PROMPTS);
        reconnect();
        this.injector = new FaultInjector(world, fleet, container, network, promises, story, new EndingFaults());
        this.calls = new CheckedCalls(world, fleet, client, promises, story, plane -> failed[plane], disturbances);
        this.far = plan.has(HistoryStep.InFarRegion.class)
                ? new FarRegion(world, network, container, promises, story)
                : null;
        this.sdk = sockets == null
                ? null
                : new SdkClients(
                        world,
                        sockets,
                        promises,
                        story,
                        () -> Arrays.stream(failed).max().orElseThrow(),
                        plan.hasFaults());
    }

    /** Runs the plan, once. */
    HistoryOutcome run() {
        try {
            for (Plan.TimedStep step : plan.steps()) {
                var _ = world.alarm(director, step.millis() * MILLI, () -> {
                    story.say("step " + step.step());
                    begin(step.step(), calls);
                });
            }
            long end = plan.millis() * MILLI;
            if (controlled != null) {
                disturbed(0);
                controlled.watch(fleet);
            }
            var _ = world.alarm(director, end, this::calm);
            var _ = world.alarm(director, end + QUIET / 2, this::reconnect);
            var _ = world.alarm(director, end + QUIET, this::lookAtAll);
            if (far != null) {
                var _ = world.alarm(director, end + QUIET / 2, far::connect);
                var _ = world.alarm(director, end + QUIET - FIRST, () -> far.ask(promptsToLookAt()));
            }
            world.run();
            List<String> broken = new ArrayList<>(promises.broken());
            broken.addAll(world.failures());
            if (sdk != null) {
                broken.addAll(sdk.broken());
            }
            if (far != null) {
                broken.addAll(far.broken());
            }
            return new HistoryOutcome(broken, story.lines(), answers(), world.digest(), world.nanos(), world.faults());
        } finally {
            fleet.close();
            if (far != null) {
                far.close();
            }
            network.close();
            world.close();
        }
    }

    private void begin(HistoryStep step) {
        begin(step, calls);
    }

    private long answers() {
        return promises.answers() + (far == null ? 0 : far.answers());
    }

    private void begin(HistoryStep step, CheckedCalls calls) {
        if (far != null && spoilsPresence(step)) {
            far.otherIsSpoilt();
        }
        disturbances.begin(step, millis -> world.nanos() + lasting(millis));
        if (sdk != null) {
            sdk.hear(step);
        }
        switch (step) {
            case HistoryStep.WritePrompt write -> clients.execute(() -> calls.write(write));
            case HistoryStep.LookUp lookUp -> clients.execute(() -> calls.lookUp(lookUp.plane(), lookUp.prompt()));
            case HistoryStep.LookUpTokens(int plane, int prompt) ->
                clients.execute(() -> calls.lookUpTokens(plane, prompt));
            case HistoryStep.LookUpAll(int plane, int prompt) -> clients.execute(() -> calls.lookUpAll(plane, prompt));
            case HistoryStep.Hasty(HistoryStep call, long millis, boolean cancels) ->
                begin(call, calls.with(client.with(new Impatience(millis, cancels))));
            case HistoryStep.ReadBlock read ->
                clients.execute(() -> calls.read(read.plane(), read.prompt(), read.block()));
            case HistoryStep.StreamPrompt write -> clients.execute(() -> calls.stream(write));
            case HistoryStep.ReadPrompt read -> clients.execute(() -> calls.readAll(read.plane(), read.prompt()));
            case HistoryStep.LeaveWrite write -> clients.execute(() -> calls.leave(write));
            case HistoryStep.Kill(int plane, long down) -> {
                disturbed(lasting(down));
                fleet.kill(plane, lasting(down));
            }
            case HistoryStep.Stop(int plane, long down) -> {
                disturbed(LAST_WORDS + lasting(down));
                silent(plane, QUIET);
                fleet.stop(plane, lasting(down));
            }
            case HistoryStep.Freeze(int plane, long millis) -> freeze(plane, millis);
            case HistoryStep.Mood(int plane, StorageMood mood, long millis) -> {
                storageFails(lasting(millis));
                fleet.mood(plane, mood);
                if (mood.fails()) {
                    failed[plane] = Math.max(failed[plane], world.nanos() + lasting(millis));
                }
                var _ = world.alarm(director, lasting(millis), () -> fleet.mood(plane, StorageMood.CALM));
            }
            case HistoryStep.CutCable(String from, int plane, long millis) -> {
                disturbed(lasting(millis));
                network.cut(from, Plan.NAMES.get(plane), lasting(millis));
            }
            case HistoryStep.StepClock(int plane, long millis) -> {
                SimulatedHost host = fleet.host(plane);
                if (host != null) {
                    host.stepClock(millis * MILLI);
                }
            }
            case HistoryStep.Lose(int prompt, int block) -> container.lose(SimulatedBlocks.blob(prompt, block));
            case HistoryStep.BringBack(int prompt, int block) ->
                container.bringBack(SimulatedBlocks.blob(prompt, block), world.nanos());
            case HistoryStep.FlipBit(int prompt, int block, int bit) -> {
                if (container.flip(SimulatedBlocks.blob(prompt, block), bit)) {
                    promises.damaged(SimulatedBlocks.name(prompt, block), true, world.nanos());
                }
            }
            case HistoryStep.Misplace(int prompt, int block, int other) -> {
                if (promises.isStored(SimulatedBlocks.name(prompt, other))
                        && container.misplace(
                                SimulatedBlocks.blob(prompt, other), SimulatedBlocks.blob(prompt, block))) {
                    promises.damaged(SimulatedBlocks.name(prompt, block), false, world.nanos());
                }
            }
            case HistoryStep.Inject(InjectedFault fault) -> {
                if (fault instanceof InjectedFault.TroubleStorage) {
                    storageFails(lasting(Plan.LONGEST_FAULT));
                } else {
                    disturbed(lasting(Plan.LONGEST_FAULT));
                }
                injector.begin(fault);
            }
            case HistoryStep.OfControlPlanes(ControlPlaneStep fault) -> {
                if (controlled != null) {
                    disturbed(lasting(Plan.LONGEST_FAULT));
                    controlled.begin(fault, this::lasting);
                }
            }
            case HistoryStep.PurgeAmbush ambush -> {
                if (controlled != null) {
                    disturbed(lasting(Plan.LONGEST_FAULT));
                    controlled.await(ambush);
                }
            }
            case HistoryStep.InFarRegion there -> Objects.requireNonNull(far).begin(there, this::lasting);
            case HistoryStep.OfSdk(SdkStep sdkStep) ->
                Objects.requireNonNull(sdk).begin(sdkStep);
            case HistoryStep.BreakConnections(int plane) ->
                network.breakConnections(Plan.CLIENTS, Plan.NAMES.get(plane));
            case HistoryStep.LosePresence() ->
                container.names(SimulatedBlocks.PRESENCE + "snapshot").forEach(container::remove);
            case HistoryStep.LoseDescriptor() -> container.remove(SimulatedBlocks.DESCRIPTOR_BLOB);
            case HistoryStep.RepeatLog(int which, int times) -> logs.repeat(which, times, world.nanos());
            case HistoryStep.Ambush ambush -> ambushes.add(ambush);
        }
    }

    /** Whether a step changes the files by which processes tell other regions of blocks. */
    private static boolean spoilsPresence(HistoryStep step) {
        return step instanceof HistoryStep.LosePresence
                || step instanceof HistoryStep.Inject(InjectedFault.DamagePresence _)
                || step instanceof HistoryStep.Inject(InjectedFault.LoseContainer _);
    }

    /** The time at which a process of a data plane ended. */
    private long end(int plane, int life) {
        return fleet.end(plane, life);
    }

    private void disturbed(long nanos) {
        long heard = controlled == null ? 0 : REGISTERED;
        promises.disturbed(world.nanos(), world.nanos() + nanos + heard);
        storageFails(nanos);
    }

    /** Storage fails for a time. Processes of this region still hear of each other's blocks, which takes no storage. */
    private void storageFails(long nanos) {
        if (far != null) {
            far.otherFails(world.nanos() + nanos);
        }
    }

    /**
     * The nanoseconds that a fault lasts which is to last so many milliseconds. The fault ends with the plan, or soon
     * after it, because a process takes a moment to start again.
     */
    private long lasting(long millis) {
        return Math.max(SHORTEST, Math.min(millis * MILLI, plan.millis() * MILLI - world.nanos()));
    }

    private void freeze(int plane, long millis) {
        SimulatedHost host = fleet.host(plane);
        if (host != null) {
            host.freeze();
            disturbed(lasting(millis));
            silent(plane, lasting(millis));
            failed[plane] = Math.max(failed[plane], world.nanos() + lasting(millis));
            var _ = world.alarm(director, lasting(millis), host::thaw);
        }
    }

    private void silent(int plane, long nanos) {
        if (controlled != null) {
            controlled.silent(plane, nanos);
        }
    }

    private void calm() {
        story.say("all faults are over");
        ambushes.clear();
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            fleet.mood(plane, StorageMood.CALM);
        }
        if (controlled != null) {
            controlled.calm();
        }
        if (far != null) {
            far.calm();
        }
    }

    private void reconnect() {
        clients.execute(() -> client.connect(Plan.NAMES));
    }

    private void lookAtAll() {
        story.say("the last look at everything");
        calls.expectAnswers();
        if (controlled != null) {
            controlled.requireWhole(fleet);
        }
        List<Integer> prompts = promptsToLookAt();
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            for (int prompt : prompts) {
                int of = plane;
                clients.execute(() -> {
                    calls.lookUp(of, prompt);
                    calls.readAll(of, prompt);
                });
            }
        }
        if (sdk != null) {
            sdk.lookAtAll(prompts);
        }
        if (far != null) {
            far.lookAtAll(prompts);
        }
        awaitAnswers(world.nanos() + LAST);
    }

    /** The prompts with a block that was written once, and the first prompt without one. */
    private List<Integer> promptsToLookAt() {
        List<Integer> prompts = new ArrayList<>();
        boolean hasUnknown = false;
        for (int prompt = 0; prompt < Plan.PROMPTS; prompt++) {
            boolean isKnown = isKnown(prompt);
            if (isKnown || !hasUnknown) {
                prompts.add(prompt);
            }
            hasUnknown |= !isKnown;
        }
        return prompts;
    }

    private boolean isKnown(int prompt) {
        return IntStream.range(0, Plan.BLOCKS)
                .mapToObj(block -> SimulatedBlocks.name(prompt, block))
                .anyMatch(block -> promises.isKnown(block) || (far != null && far.isKnown(block)));
    }

    /** Whether a client waits for an answer. */
    private boolean isAsked() {
        return clients.threads() > 0 || (sdk != null && sdk.isUsed()) || (far != null && far.isAsked());
    }

    /** Ends the history soon after the last answer. */
    private void awaitAnswers(long until) {
        var _ = world.alarm(director, SECOND, () -> {
            if (world.nanos() < until && isAsked()) {
                awaitAnswers(until);
                return;
            }
            if (sdk != null) {
                sdk.close();
            }
            var _ = world.alarm(
                    director,
                    sdk == null ? SETTLED : SdkClients.GONE + SECOND,
                    () -> director.execute(() -> {
                        fleet.leaks().forEach(promises::leaked);
                        if (far != null) {
                            far.leaks().forEach(promises::leaked);
                        }
                        world.stop();
                    }));
        });
    }
}
