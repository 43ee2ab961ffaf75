package dev.kvstore.simulation.fleet;

import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.simulation.storage.SimulatedStore;
import dev.kvstore.simulation.storage.StorageMood;
import dev.kvstore.simulation.storage.StorageTrouble;
import dev.kvstore.simulation.world.SimulatedDisks;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Data planes of one region, each started again after its end. For the thread of its world. */
public final class RestartingFleet {
    /** A process hears of other peers within this time, as from heartbeats. */
    private static final long TOLD_MOST = Duration.ofSeconds(5).toNanos();

    /**
     * A process that has written its last logs goes on with its open calls for up to this time, until its server is
     * closed.
     */
    private static final long LAST_CALLS_MOST = Duration.ofSeconds(1).toNanos();

    private final World world;
    private final SimulatedNetwork network;
    private final RegionAccount region;
    private final FleetDisks disks;
    private final @Nullable JoiningCluster cluster;
    private final SplittableRandom random;
    private final SimulatedHost controlPlane;
    private final List<FleetMember> members = new ArrayList<>();
    private final List<DataPlaneProcess> processes = new ArrayList<>();

    /** The name of a data plane, and the process that has the name now; another process has it after a restart. */
    private static final class FleetMember {
        private final String name;
        private final List<Long> ends = new ArrayList<>();
        private int life;
        private @Nullable SimulatedHost host;
        private @Nullable RegionStores storage;
        private @Nullable DataPlaneProcess process;

        FleetMember(String name) {
            this.name = name;
        }
    }

    /** @param cluster the cluster that all data planes join; if null, each hears of the others within 5 s */
    public RestartingFleet(
            World world,
            SimulatedNetwork network,
            RegionAccount region,
            List<String> names,
            @Nullable JoiningCluster cluster) {
        this.world = world;
        this.network = network;
        this.region = region;
        this.disks = new FleetDisks(world);
        this.cluster = cluster;
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
        RegionStores storage = RegionStores.of(region, world, member.name + life);
        member.host = host;
        member.storage = storage;
        member.process = null;
        disks.mount(host);
        host.execute(() -> {
            DataPlaneProcess process = new DataPlaneProcess(host, life, network, storage, disks, cluster);
            member.process = process;
            processes.add(process);
            if (cluster == null) {
                tellAll();
            }
        });
    }

    /** Tells each process, within 5 s, of the processes that there are then. */
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

    /** Whether the process of a data plane holds a lease and knows all others. */
    public boolean isJoined(int plane) {
        DataPlaneProcess process = members.get(plane).process;
        return process != null && process.isJoined(members.size() - 1);
    }

    /** The name of the process that a data plane has, or had last. */
    public String instance(int plane) {
        return DataPlaneProcess.instance(members.get(plane).name, members.get(plane).life);
    }

    /** The number of processes that a data plane has had. */
    public int life(int plane) {
        return members.get(plane).life;
    }

    /** The time at which a process of a data plane ended; {@code Long.MAX_VALUE} if it has not. */
    public long end(int plane, int life) {
        List<Long> ends = members.get(plane).ends;
        return life <= ends.size() ? ends.get(life - 1) : Long.MAX_VALUE;
    }

    /** Ends a process at once. */
    public void kill(int plane, long downNanos) {
        FleetMember member = members.get(plane);
        SimulatedHost host = member.host;
        if (host == null) {
            return;
        }
        host.kill();
        member.ends.add(world.nanos());
        member.host = null;
        member.process = null;
        network.cut(host);
        var _ = world.alarm(controlPlane, downNanos, () -> start(plane));
    }

    /** The disks of a data plane's machine; null if it has none. */
    public @Nullable SimulatedDisks disks(int plane) {
        return disks.of(members.get(plane).name);
    }

    /** Tells a process to end, which writes its last logs first. */
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
            var _ = world.alarm(controlPlane, random.nextLong(LAST_CALLS_MOST), () -> {
                if (member.host == host) {
                    kill(plane, downNanos);
                }
            });
        });
    }

    /** The memory and call slots that processes hold, and must not hold while they have no call. */
    public List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        for (FleetMember member : members) {
            if (member.process != null) {
                member.process.leaks().forEach(leak -> leaks.add("plane " + member.name + " holds " + leak));
            }
        }
        return leaks;
    }

    /** Gives the memory of all processes back, killed ones included. */
    public void close() {
        world.on(controlPlane, () -> processes.forEach(DataPlaneProcess::discard));
    }

    /**
     * Gives a process's calls to storage a trouble.
     *
     * @param trouble the trouble; null for none any more
     * @param often the part of the calls that get the trouble, 0 to 1
     */
    public void trouble(int plane, @Nullable StorageTrouble trouble, double often) {
        RegionStores storage = members.get(plane).storage;
        if (storage != null) {
            storage.here().way().trouble(trouble, often);
        }
    }

    /** Makes storage treat a process in this way. */
    public void mood(int plane, StorageMood mood) {
        RegionStores storage = members.get(plane).storage;
        if (storage != null) {
            storage.here().mood(mood);
        }
    }

    /** Makes the other region's storage, if there is one, treat a process in this way. */
    public void moodThere(int plane, StorageMood mood) {
        RegionStores storage = members.get(plane).storage;
        SimulatedStore there = storage == null ? null : storage.there();
        if (there != null) {
            there.mood(mood);
        }
    }
}
