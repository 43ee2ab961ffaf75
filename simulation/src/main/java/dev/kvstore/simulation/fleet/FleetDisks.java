package dev.kvstore.simulation.fleet;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.simulation.world.SimulatedDisks;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The disks of each machine of a fleet; in most histories there are none. For the thread of its world. */
final class FleetDisks {
    /** One of so many histories has disks. */
    private static final int ONE_OF = 3;

    private static final int MOST_MOUNTS = 2;

    /** Room for five blocks of the simulation, each with a directory of its own. */
    private static final int REGION_PAGES = 16;

    private static final int REGIONS = 4;
    private static final int PAGE_BYTES = 4096;

    /** Memory for blocks on their way. */
    private static final int QUEUE_BYTES = 8 * 8192;

    private static final Duration RETRY = Duration.ofSeconds(10);

    private final World world;
    private final boolean areThere;
    private final int mounts;
    private final Map<String, SimulatedDisks> disks = new HashMap<>();

    FleetDisks(World world) {
        this.world = world;
        SplittableRandom random = world.random("disks");
        this.areThere = random.nextInt(ONE_OF) == 0;
        this.mounts = random.nextInt(MOST_MOUNTS + 1);
    }

    /** The disks of a machine; null if there are none. */
    @Nullable
    SimulatedDisks of(String machine) {
        return areThere ? disks.computeIfAbsent(machine, _ -> new SimulatedDisks(world, machine, mounts)) : null;
    }

    /** Gives a host the disks of its machine. */
    void mount(SimulatedHost host) {
        SimulatedDisks own = of(host.name());
        if (own != null) {
            host.disks(own);
        }
    }

    /** Memory that the disk tier of a process needs beside other tiers. */
    int queueBytes() {
        return areThere ? QUEUE_BYTES : 0;
    }

    /** The disk tier of a process. Waits until its folder is listed. */
    DiskTier tier(MemoryPool memory, Function<StorageLocation, ?> ownerOf) {
        if (!areThere) {
            return DiskTier.none(memory);
        }
        long bytes = (long) Math.max(1, mounts) * (REGIONS * REGION_PAGES + 1) * PAGE_BYTES;
        DiskSettings settings = new DiskSettings(SimulatedDisks.ROOT, bytes, REGION_PAGES, QUEUE_BYTES, RETRY);
        return DiskTier.open(settings, memory, ownerOf, System::nanoTime);
    }
}
