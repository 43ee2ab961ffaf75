package dev.kvstore.admin.database;

/**
 * The connections to the database that are reserved for Resolve, the keys of routes, heartbeats and the change feed.
 */
public final class Vital {
    /** The name of the pool of these connections, as a data source of Quarkus. */
    public static final String POOL = "vital";

    private Vital() {}
}
