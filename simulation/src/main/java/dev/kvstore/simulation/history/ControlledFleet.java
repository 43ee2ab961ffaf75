package dev.kvstore.simulation.history;

import dev.kvstore.control.purge.PurgeSpec;
import dev.kvstore.simulation.control.DatabaseWeather;
import dev.kvstore.simulation.control.RestartingControlPlanes;
import dev.kvstore.simulation.control.ToldFleet;
import dev.kvstore.simulation.fleet.JoiningCluster;
import dev.kvstore.simulation.fleet.RestartingFleet;
import dev.kvstore.simulation.fleet.SimulatedAccount;
import dev.kvstore.simulation.fleet.SimulatedNetwork;
import dev.kvstore.simulation.fleet.SimulatedPrompts;
import dev.kvstore.simulation.plan.ControlPlanePlan;
import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.promise.FleetPromises;
import dev.kvstore.simulation.promise.LeaseTroubles;
import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.step.HistoryStep;
import dev.kvstore.simulation.step.kind.ControlPlaneStep;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The control planes of a history. This class injects their faults, and holds their answers about the fleet against the
 * promises.
 */
final class ControlledFleet {
    static final JoiningCluster CLUSTER = new JoiningCluster(
            RestartingControlPlanes.CLUSTER, RestartingControlPlanes.JOIN_TOKEN, ControlPlanePlan.NAMES);

    /** SQL for the id of each purge and the moments that it has reached, of {@link ControlPlanePlan#MOMENTS}. */
    private static final String MOMENTS = """
            select id || ' ' || state from purge
            union all
            select purge || ' CLAIMED' from purge_region where claimed_until is not null and not done
            order by 1""";

    /** Control planes read the fleet once a second. */
    private static final Duration JUST_NOW = Duration.ofMillis(2_500);

    private static final long LOOK = Duration.ofMillis(100).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    /**
     * If the database's clock steps back by at most this time, a claim of 30 s is over at the last look at everything.
     */
    private static final long STEPPED_BACK_MOST = Duration.ofSeconds(30).toNanos();

    private final World world;
    private final SimulatedNetwork network;
    private final SimulatedHost watcher;
    private final RestartingControlPlanes control;
    private final LeaseTroubles troubles = new LeaseTroubles(ControlPlanePlan.NAMES.size());
    private final FleetPromises fleetPromises;
    private final Promises promises;
    private final Story story;
    private final Consumer<HistoryStep> steps;
    private final List<HistoryStep.PurgeAmbush> ambushes = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private int purges;

    /** The sum of the backward steps of the database's clock, in nanoseconds. */
    private long steppedBack;

    /** @param steps takes the next step of an ambush */
    ControlledFleet(
            World world, SimulatedNetwork network, Promises promises, Story story, Consumer<HistoryStep> steps) {
        this.world = world;
        this.network = network;
        this.promises = promises;
        this.story = story;
        this.steps = steps;
        this.watcher = new SimulatedHost(world, "watcher");
        this.control = new RestartingControlPlanes(world, network, ControlPlanePlan.NAMES);
        this.fleetPromises = new FleetPromises(promises, troubles);
        control.database().whenPurgesChange(this::lookAtPurges);
    }

    /** Has a step begin as soon as a purge reaches a moment. */
    void await(HistoryStep.PurgeAmbush ambush) {
        ambushes.add(ambush);
    }

    /** @param lasting gives the nanoseconds that a fault lasts which is to last so many milliseconds */
    void begin(ControlPlaneStep fault, LongUnaryOperator lasting) {
        long now = world.nanos();
        switch (fault) {
            case ControlPlaneStep.Kill(int plane, long down) -> {
                troubles.impaired(plane, now, now + lasting.applyAsLong(down));
                control.kill(plane, lasting.applyAsLong(down));
            }
            case ControlPlaneStep.Freeze(int plane, long millis) -> {
                SimulatedHost host = control.host(plane);
                if (host != null) {
                    troubles.frozen(plane, now, now + lasting.applyAsLong(millis));
                    host.freeze();
                    var _ = world.alarm(watcher, lasting.applyAsLong(millis), host::thaw);
                }
            }
            case ControlPlaneStep.CutFromControlPlane(String from, int plane, long millis) -> {
                long nanos = lasting.applyAsLong(millis);
                network.cut(from, ControlPlanePlan.NAMES.get(plane), nanos);
                silent(Plan.NAMES.indexOf(from), nanos);
            }
            case ControlPlaneStep.CutFromDatabase(int plane, long millis) -> {
                troubles.cut(plane, now, now + lasting.applyAsLong(millis));
                control.database().cut(ControlPlanePlan.NAMES.get(plane), lasting.applyAsLong(millis));
            }
            case ControlPlaneStep.ChangeWeather(DatabaseWeather weather, long millis) -> {
                troubles.database(now, now + lasting.applyAsLong(millis));
                control.database().weather(weather);
                var _ = world.alarm(
                        watcher,
                        lasting.applyAsLong(millis),
                        () -> control.database().weather(DatabaseWeather.CALM));
            }
            // Leases go by the database's clock alone.
            case ControlPlaneStep.StepClock(int plane, long millis) -> {
                SimulatedHost host = control.host(plane);
                if (host != null) {
                    host.stepClock(millis * MILLI);
                }
            }
            case ControlPlaneStep.StepDatabaseClock(long millis) -> {
                steppedBack += Math.max(0, -millis * MILLI);
                troubles.clockSteps(now, millis * MILLI);
                control.database().stepClock(millis * MILLI);
            }
            case ControlPlaneStep.PurgeBlock(int prompt, int block) ->
                purge(
                        Set.of(SimulatedBlocks.name(prompt, block)),
                        SimulatedPrompts.PARTITION.name(),
                        SimulatedBlocks.PROMPTS.hash(prompt, block).hex(),
                        null);
            case ControlPlaneStep.PurgePartition() ->
                purge(SimulatedBlocks.names(), SimulatedPrompts.PARTITION.name(), null, null);
            case ControlPlaneStep.PurgeKey() -> purge(SimulatedBlocks.names(), null, null, SimulatedAccount.KEY_ID);
        }
    }

    private void purge(Set<String> blocks, @Nullable String partition, @Nullable String block, @Nullable String key) {
        String id = "p-" + ++purges;
        promises.purges().begins(id, blocks, world.nanos());
        control.purge(
                purges % ControlPlanePlan.NAMES.size(),
                id,
                new PurgeSpec(
                        SimulatedAccount.RESOURCE,
                        partition,
                        partition == null ? null : SimulatedPrompts.PARTITION.blockTokens(),
                        block,
                        key));
    }

    /** A data plane may renew no lease for a time. */
    void silent(int plane, long nanos) {
        fleetPromises.silent(plane, world.nanos() + nanos);
    }

    void calm() {
        ambushes.clear();
        control.database().weather(DatabaseWeather.CALM);
    }

    /** Looks at the fleet from now on. */
    void watch(RestartingFleet fleet) {
        var _ = world.alarm(watcher, LOOK, () -> {
            for (int plane = 0; plane < Plan.PLANES; plane++) {
                fleetPromises.runs(plane, fleet.host(plane) == null ? "" : fleet.instance(plane), world.nanos());
            }
            Set<String> routed = new LinkedHashSet<>();
            for (int plane = 0; plane < ControlPlanePlan.NAMES.size(); plane++) {
                ToldFleet told = control.told(plane).orElse(null);
                if (told != null && isOfNow(told)) {
                    fleetPromises.told(ControlPlanePlan.NAMES.get(plane), told.instances(), world.nanos());
                    routed.addAll(told.instances());
                }
            }
            for (int plane = 0; plane < Plan.PLANES; plane++) {
                promises.purges().routed(plane, routed.contains(fleet.instance(plane)), world.nanos());
            }
            promises.purges().broken(world.nanos(), JUST_NOW.toNanos()).forEach(promises::unanswered);
            watch(fleet);
        });
    }

    /** Whether a control plane has read the fleet just now, and has not only noted an older reading just now. */
    private boolean isOfNow(ToldFleet told) {
        Duration age = Duration.between(told.at(), control.database().time());
        return world.nanos() - told.readNanos() < JUST_NOW.toNanos()
                && age.abs().compareTo(JUST_NOW) < 0;
    }

    private void lookAtPurges() {
        if (!promises.purges().isAnyOpen()) {
            return;
        }
        for (String moment : control.database().look(MOMENTS)) {
            if (seen.add(moment)) {
                story.say("a purge comes so far: " + moment);
                String id = moment.substring(0, moment.indexOf(' '));
                String what = moment.substring(moment.indexOf(' ') + 1);
                if (what.equals("TELLING")) {
                    promises.purges().isThere(id, world.nanos());
                } else if (what.equals("DONE") && promises.purges().ends(id, world.nanos())) {
                    promises.requirePurged(id);
                }
                spring(what);
            }
        }
    }

    private void spring(String moment) {
        for (HistoryStep.PurgeAmbush ambush : List.copyOf(ambushes)) {
            if (ambush.moment().equals(moment) && ambushes.remove(ambush)) {
                var _ = world.alarm(watcher, 0, () -> {
                    story.say("ambush " + ambush.next());
                    steps.accept(ambush.next());
                });
            }
        }
    }

    /**
     * All faults are long over: each data plane must hold a lease and know all others, each control plane must have
     * read the fleet, and no purge goes on. Another data plane claims an unfinished deletion once the claim is over by
     * the database's clock, which is later if that clock stepped back.
     */
    void requireWhole(RestartingFleet fleet) {
        if (steppedBack <= STEPPED_BACK_MOST) {
            for (String open :
                    control.database().look("select id || ', ' || state from purge where ended_at is null")) {
                promises.unanswered("the purge " + open + ", does not end");
            }
        }
        for (int plane = 0; plane < ControlPlanePlan.NAMES.size(); plane++) {
            if (control.told(plane).filter(this::isOfNow).isEmpty()) {
                promises.unanswered(ControlPlanePlan.NAMES.get(plane) + " does not read the fleet any more");
            }
        }
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            if (!fleet.isJoined(plane)) {
                promises.unanswered("plane " + plane + " is no member of its cluster, or does not know the others");
            }
        }
    }
}
