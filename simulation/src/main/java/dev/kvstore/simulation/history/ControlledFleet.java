package dev.kvstore.simulation.history;

import dev.kvstore.control.purge.PurgeSpec;
import dev.kvstore.simulation.control.DatabaseWeather;
import dev.kvstore.simulation.control.RestartingControlPlanes;
import dev.kvstore.simulation.fleet.JoiningCluster;
import dev.kvstore.simulation.fleet.RestartingFleet;
import dev.kvstore.simulation.fleet.SimulatedAccount;
import dev.kvstore.simulation.fleet.SimulatedNetwork;
import dev.kvstore.simulation.fleet.SimulatedPrompts;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The control planes of a history: what befalls them, and a look each second at what they say of the fleet. */
final class ControlledFleet {
    static final JoiningCluster CLUSTER = new JoiningCluster(
            RestartingControlPlanes.CLUSTER, RestartingControlPlanes.JOIN_TOKEN, ControlPlanePlan.NAMES);

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final World world;
    private final SimulatedNetwork network;
    private final SimulatedHost watcher;
    private final RestartingControlPlanes control;
    private final FleetPromises fleetPromises;
    private final Promises promises;
    private final Story story;
    private int purges;

    ControlledFleet(World world, SimulatedNetwork network, Promises promises, Story story) {
        this.world = world;
        this.network = network;
        this.promises = promises;
        this.story = story;
        this.watcher = new SimulatedHost(world, "watcher");
        this.control = new RestartingControlPlanes(world, network, ControlPlanePlan.NAMES);
        this.fleetPromises = new FleetPromises(promises);
    }

    /** @param lasting how long a fault lasts that is to last for so many milliseconds */
    void begin(HistoryStep.OfControlPlanes fault, LongUnaryOperator lasting) {
        switch (fault) {
            case HistoryStep.KillControlPlane(int plane, long down) -> {
                control.kill(plane, troubled(lasting.applyAsLong(down)));
            }
            case HistoryStep.FreezeControlPlane(int plane, long millis) -> {
                SimulatedHost host = control.host(plane);
                if (host != null) {
                    host.freeze();
                    var _ = world.alarm(watcher, troubled(lasting.applyAsLong(millis)), host::thaw);
                }
            }
            case HistoryStep.CutFromControlPlane(String from, int plane, long millis) -> {
                long nanos = lasting.applyAsLong(millis);
                network.cut(from, ControlPlanePlan.NAMES.get(plane), nanos);
                silent(Plan.NAMES.indexOf(from), nanos);
            }
            case HistoryStep.CutFromDatabase(int plane, long millis) ->
                control.database().cut(ControlPlanePlan.NAMES.get(plane), troubled(lasting.applyAsLong(millis)));
            case HistoryStep.ChangeWeather(DatabaseWeather weather, long millis) -> {
                control.database().weather(weather);
                var _ = world.alarm(
                        watcher,
                        troubled(lasting.applyAsLong(millis)),
                        () -> control.database().weather(DatabaseWeather.CALM));
            }
            // Leases go by the database's clock alone.
            case HistoryStep.StepControlPlaneClock(int plane, long millis) -> {
                SimulatedHost host = control.host(plane);
                if (host != null) {
                    host.stepClock(millis * MILLI);
                }
            }
            case HistoryStep.StepDatabaseClock(long millis) -> {
                control.database().stepClock(millis * MILLI);
                var _ = troubled(0);
            }
            case HistoryStep.PurgeBlock(int prompt, int block) ->
                purge(
                        Set.of(SimulatedBlocks.name(prompt, block)),
                        SimulatedPrompts.PARTITION.name(),
                        SimulatedBlocks.PROMPTS.hash(prompt, block).hex(),
                        null);
            case HistoryStep.PurgePartition() ->
                purge(SimulatedBlocks.names(), SimulatedPrompts.PARTITION.name(), null, null);
            case HistoryStep.PurgeKey() -> purge(SimulatedBlocks.names(), null, null, SimulatedAccount.KEY_ID);
        }
    }

    private void purge(Set<String> blocks, @Nullable String partition, @Nullable String block, @Nullable String key) {
        String id = "p-" + ++purges;
        promises.purges().begins(id, blocks, world.nanos());
        control.purge(
                id,
                new PurgeSpec(
                        SimulatedAccount.RESOURCE,
                        partition,
                        partition == null ? null : SimulatedPrompts.PARTITION.blockTokens(),
                        block,
                        key));
    }

    private long troubled(long nanos) {
        fleetPromises.troubled(world.nanos() + nanos);
        return nanos;
    }

    /** A data plane may renew no lease for a time. */
    void silent(int plane, long nanos) {
        fleetPromises.silent(plane, world.nanos() + nanos);
    }

    void calm() {
        control.database().weather(DatabaseWeather.CALM);
    }

    /** Looks at the fleet each second from now on. */
    void watch(RestartingFleet fleet) {
        var _ = world.alarm(watcher, SECOND, () -> {
            for (int plane = 0; plane < Plan.PLANES; plane++) {
                fleetPromises.runs(plane, fleet.host(plane) == null ? "" : fleet.instance(plane), world.nanos());
            }
            Set<String> routed = new LinkedHashSet<>();
            for (int plane = 0; plane < ControlPlanePlan.NAMES.size(); plane++) {
                SimulatedHost host = control.host(plane);
                if (host != null) {
                    List<String> told = control.told(plane);
                    fleetPromises.told(host.name(), told, world.nanos());
                    routed.addAll(told);
                }
            }
            boolean isSure = !fleetPromises.isTroubled(world.nanos());
            for (int plane = 0; plane < Plan.PLANES; plane++) {
                promises.purges().routed(plane, isSure && routed.contains(fleet.instance(plane)));
            }
            lookAtPurges();
            watch(fleet);
        });
    }

    private void lookAtPurges() {
        if (promises.purges().isAnyOpen()) {
            for (String id : control.database().look("select id from purge where state = 'DONE' order by id")) {
                if (promises.purges().ends(id, world.nanos())) {
                    story.say("the purge " + id + " is done");
                    promises.requirePurged(id);
                }
            }
        }
    }

    /** All faults are long over: each data plane must hold a lease and know all others, and no purge goes on. */
    void requireWhole(RestartingFleet fleet) {
        for (String open : control.database().look("select id || ', ' || state from purge where ended_at is null")) {
            promises.unanswered("the purge " + open + ", does not end");
        }
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            if (!fleet.isJoined(plane)) {
                promises.unanswered("plane " + plane + " is no member of its cluster, or does not know the others");
            }
        }
    }
}
