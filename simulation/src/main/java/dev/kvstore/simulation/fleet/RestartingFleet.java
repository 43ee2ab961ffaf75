package dev.kvstore.simulation.fleet;

import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Data planes on one storage, each started again after its end. For the thread of its world. */
public final class RestartingFleet {
    /** Heartbeats tell of other peers a few seconds later. */
    private static final long TOLD_MOST = Duration.ofSeconds(5).toNanos();

    private final World world;
    private final SimulatedNetwork network;
    private final SimulatedContainer container;
    private final SplittableRandom random;
    private final SimulatedHost controlPlane;
    private final List<FleetMember> members = new ArrayList<>();
    private final List<DataPlaneProcess> processes = new ArrayList<>();

    /** A name, and the process that has it now; another one has it after a restart. */
    private static final class FleetMember {
        private final String name;
        private int life;
        private @Nullable SimulatedHost host;
        private @Nullable SimulatedStore store;
        private @Nullable DataPlaneProcess process;

        FleetMember(String name) {
            this.name = name;
        }
    }

    public RestartingFleet(World world, SimulatedNetwork network, SimulatedContainer container, List<String> names) {
        this.world = world;
        this.network = network;
        this.container = container;
        this.random = world.random("fleet");
        this.controlPlane = new SimulatedHost(world, "control plane");
        for (int i = 0; i < names.size(); i++) {
            members.add(new FleetMember(names.get(i)));
            start(i);
        }
    }

    private void start(int plane) {
        FleetMember member = members.get(plane);
        SimulatedHost host = new SimulatedHost(world, member.name);
        int life = ++member.life;
        SimulatedStore store = new SimulatedStore(container, world.random("storage of " + member.name + life));
        member.host = host;
        member.store = store;
        member.process = null;
        host.execute(() -> {
            DataPlaneProcess process = new DataPlaneProcess(host, life, network, store);
            member.process = process;
            processes.add(process);
            tellAll();
        });
    }

    /** Has each process hear, in some seconds, of the processes that there are then. */
    private void tellAll() {
        for (FleetMember member : members) {
            SimulatedHost host = member.host;
            if (host != null) {
                var _ = world.alarm(host, random.nextLong(TOLD_MOST), () -> host.execute(() -> tell(member)));
            }
        }
    }

    private void tell(FleetMember told) {
        if (told.process == null) {
            return;
        }
        List<Peer> peers = new ArrayList<>();
        for (FleetMember other : members) {
            if (other != told && other.process != null) {
                peers.add(other.process.self());
            }
        }
        told.process.tell(peers);
    }

    /** The process of a data plane; null while there is none. */
    public @Nullable SimulatedHost host(int plane) {
        return members.get(plane).host;
    }

    /** How many processes this one has had. */
    public int life(int plane) {
        return members.get(plane).life;
    }

    /** Ends a process at once. */
    public void kill(int plane, long downNanos) {
        FleetMember member = members.get(plane);
        SimulatedHost host = member.host;
        if (host == null) {
            return;
        }
        host.kill();
        member.host = null;
        member.process = null;
        network.cut(host);
        var _ = world.alarm(controlPlane, downNanos, () -> start(plane));
    }

    /** Has a process end as it does when it is told to. */
    public void stop(int plane, long downNanos) {
        FleetMember member = members.get(plane);
        SimulatedHost host = member.host;
        DataPlaneProcess process = member.process;
        if (host == null || process == null) {
            return;
        }
        host.execute(() -> {
            network.drain(member.name);
            process.lastBeat();
            controlPlane.execute(() -> {
                if (member.host == host) {
                    kill(plane, downNanos);
                }
            });
        });
    }

    /** Gives the memory of all processes back, also of those that were killed. */
    public void close() {
        world.on(controlPlane, () -> processes.forEach(DataPlaneProcess::discard));
    }

    /** Has storage treat a process so. */
    public void mood(int plane, StorageMood mood) {
        SimulatedStore store = members.get(plane).store;
        if (store != null) {
            store.mood(mood);
        }
    }
}
