package dev.kvstore.clusters.region;

/** The clusters of a region. Thread-safe. */
public interface RegionClusters {
    /** The number of clusters in a region. */
    long countIn(String region);
}
