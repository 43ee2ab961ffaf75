package dev.kvstore.simulation.plan;

import dev.kvstore.simulation.storage.BlobDamage;
import dev.kvstore.simulation.storage.StorageTrouble;
import dev.kvstore.simulation.fleet.WayTrouble;
import dev.kvstore.simulation.world.DiskTrouble;

/** A fault of storage, of the ways to it, of disks, of the network, and of clocks, beyond those of {@link HistoryStep}. */
public sealed interface InjectedFault {
    /** Something happens to a part of a data plane's calls to storage. */
    record TroubleStorage(int plane, StorageTrouble trouble, double part, long millis) implements InjectedFault {}

    /** The container is deleted with all that is in it, and made again. */
    record LoseContainer(long millis) implements InjectedFault {}

    /** Another program writes over a block, or where it would be. */
    record DamageBlock(int prompt, int block, BlobDamage damage) implements InjectedFault {}

    /**
     * Another program writes over a file of presence.
     *
     * @param which of those there are then; counted again from the first one after the last
     */
    record DamagePresence(int which, BlobDamage damage) implements InjectedFault {}

    /** Something is wrong with a disk of a data plane, if it has disks. */
    record TroubleDisk(int plane, int disk, DiskTrouble trouble, long millis) implements InjectedFault {}

    /** A bit on a disk of a data plane becomes another one, if it has disks. */
    record FlipDisk(int plane, int disk) implements InjectedFault {}

    /** A data plane's machine loses power, and starts again. Its disks lose a part of what was written last. */
    record LosePower(int plane, long downMillis) implements InjectedFault {}

    /** Something happens to a part of the calls of a host to a data plane: of another data plane's, or of clients'. */
    record TroubleWay(String from, int plane, WayTrouble trouble, double part, long millis) implements InjectedFault {}

    /** A data plane's clock goes faster or slower than the world's. */
    record DriftClock(int plane, double rate, long millis) implements InjectedFault {}
}
