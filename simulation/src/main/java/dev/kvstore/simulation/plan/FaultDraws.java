package dev.kvstore.simulation.plan;

import dev.kvstore.simulation.fleet.WayTrouble;
import dev.kvstore.simulation.step.kind.InjectedFault;
import dev.kvstore.simulation.storage.BlobDamage;
import dev.kvstore.simulation.storage.StorageTrouble;
import dev.kvstore.simulation.world.DiskTrouble;
import java.util.List;
import java.util.SplittableRandom;

/** Draws injected faults. Each draw makes one kind of fault; a seed leaves some kinds out. */
public final class FaultDraws {
    /**
     * The longest fault, in milliseconds. Faults may be shorter or longer than 20 s, after which others take a process
     * for dead.
     */
    private static final long LONGEST = 60_000;

    private static final int MOST_FILES = 30;
    private static final int MOST_DISKS = 2;
    private static final double SLOWEST_CLOCK = 0.9;
    private static final double FASTEST_CLOCK = 1.1;

    static final List<FaultDraw> KINDS = List.of(
            (random, prompt) -> trouble(
                    random,
                    StorageTrouble.FORBIDDEN,
                    StorageTrouble.DISABLED,
                    StorageTrouble.HELD,
                    StorageTrouble.FULL),
            (random, prompt) -> trouble(random, StorageTrouble.ASKED_TWICE, StorageTrouble.ASKED_TWICE_TOO_OFTEN),
            (random, prompt) -> trouble(random, StorageTrouble.FLIPPED, StorageTrouble.SHORTENED),
            (random, prompt) -> new InjectedFault.LoseContainer(millis(random)),
            (random, prompt) -> new InjectedFault.DamageBlock(
                    prompt, random.nextInt(Plan.BLOCKS), one(random, BlobDamage.values())),
            (random, prompt) ->
                    new InjectedFault.DamagePresence(random.nextInt(MOST_FILES), one(random, BlobDamage.values())),
            (random, prompt) -> new InjectedFault.TroubleDisk(
                    random.nextInt(Plan.PLANES),
                    random.nextInt(MOST_DISKS),
                    one(random, DiskTrouble.SLOW, DiskTrouble.FAILING, DiskTrouble.FULL, DiskTrouble.AWAY),
                    millis(random)),
            (random, prompt) -> new InjectedFault.FlipDisk(random.nextInt(Plan.PLANES), random.nextInt(MOST_DISKS)),
            (random, prompt) -> new InjectedFault.LosePower(random.nextInt(Plan.PLANES), millis(random)),
            (random, prompt) -> way(random, WayTrouble.LOST, WayTrouble.UNANSWERED),
            (random, prompt) -> way(random, WayTrouble.DOUBLED, WayTrouble.LATE),
            (random, prompt) -> new InjectedFault.DriftClock(
                    random.nextInt(Plan.PLANES), random.nextBoolean() ? SLOWEST_CLOCK : FASTEST_CLOCK, millis(random)));

    private FaultDraws() {}

    /** Draws a fault of one kind. */
    @FunctionalInterface
    interface FaultDraw {
        InjectedFault of(SplittableRandom random, int prompt);
    }

    private static InjectedFault trouble(SplittableRandom random, StorageTrouble... some) {
        double part = random.nextBoolean() ? 1 : random.nextDouble();
        return new InjectedFault.TroubleStorage(random.nextInt(Plan.PLANES), one(random, some), part, millis(random));
    }

    private static InjectedFault way(SplittableRandom random, WayTrouble... some) {
        int plane = random.nextInt(Plan.PLANES);
        // Calls of clients get a trouble as often as calls of other data planes.
        String from = random.nextBoolean() ? Plan.CLIENTS : Plan.NAMES.get(random.nextInt(Plan.PLANES));
        double part = random.nextBoolean() ? 1 : random.nextDouble();
        return new InjectedFault.TroubleWay(from, plane, one(random, some), part, millis(random));
    }

    @SafeVarargs
    static <T> T one(SplittableRandom random, T... some) {
        return some[random.nextInt(some.length)];
    }

    /** A time in milliseconds. Short times are more frequent than long ones. */
    private static long millis(SplittableRandom random) {
        return (long) (LONGEST * Math.pow(random.nextDouble(), 2)) + 1;
    }
}
