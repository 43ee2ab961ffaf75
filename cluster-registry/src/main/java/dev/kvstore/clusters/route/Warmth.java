package dev.kvstore.clusters.route;

/**
 * The storage that an account has in a region, from the least useful to the most useful if the account's home is down.
 */
public enum Warmth {
    /** No storage: data planes of the region use the storage of the home region. */
    NONE,
    /** A storage of its own, to which no warming is known to have copied blocks. */
    STORED,
    /** A storage of its own, to which a warming copied blocks of another region. */
    WARMED
}
