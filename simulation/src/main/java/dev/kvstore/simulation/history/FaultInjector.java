package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.RestartingFleet;
import dev.kvstore.simulation.fleet.SimulatedNetwork;
import dev.kvstore.simulation.fleet.WayTrouble;
import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.step.kind.InjectedFault;
import dev.kvstore.simulation.storage.SimulatedContainer;
import dev.kvstore.simulation.storage.StorageTrouble;
import dev.kvstore.simulation.world.DiskTrouble;
import dev.kvstore.simulation.world.SimulatedDisks;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.util.List;
import java.util.SplittableRandom;

/** Injects faults, and tells the promises of them. For the thread of its world. */
final class FaultInjector {
    /** A flipped bit may stay where it is. */
    private static final long FOR_EVER = Long.MAX_VALUE / 2;

    private final World world;
    private final RestartingFleet fleet;
    private final SimulatedContainer container;
    private final SimulatedNetwork network;
    private final Promises promises;
    private final Story story;
    private final FaultTimes times;
    private final SimulatedHost director;
    private final SplittableRandom random;
    private long awayUntil = Long.MIN_VALUE;

    /** Tells when faults end, and hears of faults of storage. */
    interface FaultTimes {
        /** The nanoseconds that a fault lasts which is to last so many milliseconds. */
        long lasting(long millis);

        /** Storage fails a data plane from now on, for so long. */
        void fails(int plane, long nanos);
    }

    FaultInjector(
            World world,
            RestartingFleet fleet,
            SimulatedContainer container,
            SimulatedNetwork network,
            Promises promises,
            Story story,
            FaultTimes times) {
        this.world = world;
        this.fleet = fleet;
        this.container = container;
        this.network = network;
        this.promises = promises;
        this.story = story;
        this.times = times;
        this.director = new SimulatedHost(world, "injector");
        this.random = world.random("faults");
    }

    void begin(InjectedFault fault) {
        world.happened(fault.getClass().getSimpleName());
        switch (fault) {
            case InjectedFault.TroubleStorage trouble -> trouble(trouble);
            case InjectedFault.LoseContainer(long millis) -> loseContainer(times.lasting(millis));
            case InjectedFault.DamageBlock damage -> damage(damage);
            case InjectedFault.DamagePresence damage -> damage(damage);
            case InjectedFault.TroubleDisk trouble -> trouble(trouble);
            case InjectedFault.TroubleWay(String from, int plane, WayTrouble trouble, double part, long millis) ->
                network.trouble(from, Plan.NAMES.get(plane), trouble, part, times.lasting(millis));
            case InjectedFault.FlipDisk(int plane, int disk) -> {
                SimulatedDisks disks = fleet.disks(plane);
                if (disks != null) {
                    promises.diskFails(plane, FOR_EVER);
                    disks.flip(disk);
                }
            }
            case InjectedFault.DriftClock(int plane, double rate, long millis) -> drift(plane, rate, millis);
            case InjectedFault.LosePower(int plane, long downMillis) -> losePower(plane, downMillis);
        }
    }

    private void trouble(InjectedFault.TroubleStorage of) {
        long nanos = times.lasting(of.millis());
        fleet.trouble(of.plane(), of.trouble(), of.part());
        times.fails(of.plane(), nanos);
        if (of.trouble() == StorageTrouble.FLIPPED || of.trouble() == StorageTrouble.SHORTENED) {
            promises.answersAreDamaged(of.plane(), world.nanos() + nanos);
        }
        var _ = world.alarm(director, nanos, () -> fleet.trouble(of.plane(), null, 0));
    }

    private void loseContainer(long nanos) {
        container.delete();
        awayUntil = Math.max(awayUntil, world.nanos() + nanos);
        for (int plane = 0; plane < Plan.PLANES; plane++) {
            times.fails(plane, nanos);
        }
        var _ = world.alarm(director, nanos, () -> {
            if (!container.isThere() && world.nanos() >= awayUntil) {
                story.say("the container is made again");
                container.make();
                promises.containerMade(world.nanos());
            }
        });
    }

    private void damage(InjectedFault.DamageBlock of) {
        String blob = SimulatedBlocks.blob(of.prompt(), of.block());
        if (container.isThere()) {
            boolean wasThere = container.has(blob);
            container.damage(blob, of.damage(), random, world.nanos());
            promises.damaged(
                    SimulatedBlocks.name(of.prompt(), of.block()),
                    wasThere && !of.damage().isInHeader(),
                    world.nanos());
        }
    }

    private void damage(InjectedFault.DamagePresence of) {
        List<String> files = container.names(SimulatedBlocks.PRESENCE);
        if (!files.isEmpty()) {
            String file = files.get(of.which() % files.size());
            story.say("storage has " + SimulatedBlocks.file(file) + " damaged");
            container.damage(file, of.damage(), random, world.nanos());
        }
    }

    private void trouble(InjectedFault.TroubleDisk of) {
        SimulatedDisks disks = fleet.disks(of.plane());
        if (disks != null) {
            long nanos = times.lasting(of.millis());
            promises.diskFails(of.plane(), world.nanos() + nanos);
            disks.trouble(of.disk(), of.trouble());
            var _ = world.alarm(director, nanos, () -> disks.trouble(of.disk(), DiskTrouble.NONE));
        }
    }

    private void losePower(int plane, long downMillis) {
        fleet.kill(plane, times.lasting(downMillis));
        SimulatedDisks disks = fleet.disks(plane);
        if (disks != null) {
            promises.diskFails(plane, world.nanos());
            disks.losePower();
        }
    }

    private void drift(int plane, double rate, long millis) {
        SimulatedHost host = fleet.host(plane);
        if (host != null) {
            promises.clocksDrift();
            host.drift(rate);
            var _ = world.alarm(director, times.lasting(millis), () -> host.drift(1));
        }
    }
}
