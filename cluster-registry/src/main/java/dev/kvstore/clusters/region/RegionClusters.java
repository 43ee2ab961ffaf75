package dev.kvstore.clusters.region;

/** The clusters of a region. Thread-safe. */
public interface RegionClusters {
    /** How many there are in a region. */
    long countIn(String region);
}
