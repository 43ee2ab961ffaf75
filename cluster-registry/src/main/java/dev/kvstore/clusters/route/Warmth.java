package dev.kvstore.clusters.route;

/** What a region has of an account. In the order in which they are worth more where the account's home is down. */
public enum Warmth {
    /** No storage: its processes use that of the home. */
    NONE,
    /** A storage of its own, of which it is not known that anything was copied there. */
    STORED,
    /** A storage of its own that was given blocks of another region's. */
    WARMED
}
