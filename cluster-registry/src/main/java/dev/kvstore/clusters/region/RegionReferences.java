package dev.kvstore.clusters.region;

/** References to regions and clusters that other modules keep. Thread-safe. */
public interface RegionReferences {
    /** The number of accounts that have storage in a region. */
    long accountsIn(String region);

    /** The number of accounts that are placed on a cluster. */
    long accountsOn(String cluster);
}
