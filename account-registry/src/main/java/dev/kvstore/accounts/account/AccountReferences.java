package dev.kvstore.accounts.account;

/** Answers questions about regions and clusters, which other modules keep. Thread-safe. */
public interface AccountReferences {
    /** Whether there is such a region. */
    boolean hasRegion(String region);

    /** Whether there is such a cluster in that region. */
    boolean hasCluster(String region, String cluster);
}
