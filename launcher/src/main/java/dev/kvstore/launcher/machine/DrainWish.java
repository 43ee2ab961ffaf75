package dev.kvstore.launcher.machine;

/**
 * Callers that want the machine drained. It is drained while any of them wants it, so that none undoes the wish of
 * another.
 */
enum DrainWish {
    /** The command {@code kv node drain}. */
    OPERATOR,
    /** A scheduled event of Azure. */
    AZURE
}
