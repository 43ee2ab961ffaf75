package dev.kvstore.clusters.route;

/**
 * The storage that an account has in a region, from the least useful to the most useful if the account's home is down.
 */
public enum Warmth {
    /** The account has no storage in the region: data planes use the storage of the home region. */
    NONE,
    /** The account has a storage in the region, to which no warming is known to have copied blocks. */
    STORED,
    /** The account has a storage in the region, to which a warming copied blocks of another region. */
    WARMED
}
