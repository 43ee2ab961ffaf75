package dev.kvstore.simulation.fleet;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.simulation.storage.SimulatedContainer;
import dev.kvstore.simulation.storage.SimulatedStore;
import dev.kvstore.simulation.world.World;
import org.jspecify.annotations.Nullable;

/** The storages of the account as one process sees them. For the thread of its world. */
record RegionStores(
        RegionAccount region, SimulatedStore here, @Nullable SimulatedStore there) {
    /** @param process a name that no other process has */
    static RegionStores of(RegionAccount region, World world, String process) {
        SimulatedContainer there = region.there();
        return new RegionStores(
                region,
                new SimulatedStore(region.here(), world.random("storage of " + process)),
                there == null ? null : new SimulatedStore(there, world.random("storage behind " + process)));
    }

    BlockStore open(StorageLocation location) {
        return there == null || location.equals(region.account().storage()) ? here : there;
    }
}
