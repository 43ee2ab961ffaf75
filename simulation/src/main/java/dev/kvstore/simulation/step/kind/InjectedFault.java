package dev.kvstore.simulation.step.kind;

import dev.kvstore.simulation.fleet.WayTrouble;
import dev.kvstore.simulation.storage.BlobDamage;
import dev.kvstore.simulation.storage.StorageTrouble;
import dev.kvstore.simulation.world.DiskTrouble;

/**
 * A fault of storage, of the ways to it, of disks, of the network, and of clocks, beyond the faults that are a step of a
 * history themselves.
 */
public sealed interface InjectedFault {
    /** A part of a data plane's calls to storage gets a trouble. */
    record TroubleStorage(int plane, StorageTrouble trouble, double part, long millis) implements InjectedFault {}

    /** The container is deleted with all that is in it, and made again. */
    record LoseContainer(long millis) implements InjectedFault {}

    /** Another program writes over a block, or into the blob of a block that is not there. */
    record DamageBlock(int prompt, int block, BlobDamage damage) implements InjectedFault {}

    /**
     * Another program writes over a file of presence.
     *
     * @param which the file, among the files that there are then; after the last, counting begins again
     */
    record DamagePresence(int which, BlobDamage damage) implements InjectedFault {}

    /** A disk of a data plane gets a trouble, if the data plane has disks. */
    record TroubleDisk(int plane, int disk, DiskTrouble trouble, long millis) implements InjectedFault {}

    /** A bit on a disk of a data plane is flipped, if the data plane has disks. */
    record FlipDisk(int plane, int disk) implements InjectedFault {}

    /** A data plane's machine loses power, and starts again. Its disks lose a part of the last writes. */
    record LosePower(int plane, long downMillis) implements InjectedFault {}

    /** A part of the calls of another data plane, or of clients, to a data plane gets a trouble. */
    record TroubleWay(String from, int plane, WayTrouble trouble, double part, long millis) implements InjectedFault {}

    /** A data plane's clock goes faster or slower than the world's. */
    record DriftClock(int plane, double rate, long millis) implements InjectedFault {}
}
