package dev.kvstore.clusters.cluster;

/** The processes of a cluster that an operator has registered. Thread-safe. */
public interface ClusterProcesses {
    /** The number of registered processes in a cluster. */
    long countIn(String cluster);
}
