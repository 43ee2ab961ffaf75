package dev.kvstore.launcher.machine;

/** Who wants the machine drained. It is drained while anybody wants it, so nobody undoes the wish of another. */
enum DrainWish {
    /** {@code kv node drain}. */
    OPERATOR,
    /** A scheduled event of Azure. */
    AZURE
}
