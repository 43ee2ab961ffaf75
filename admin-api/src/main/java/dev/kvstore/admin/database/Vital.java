package dev.kvstore.admin.database;

/**
 * The connections to the database that Resolve, the keys of routes, heartbeats and the change feed have for themselves.
 */
public final class Vital {
    /** The name of their pool, as a data source of Quarkus. */
    public static final String POOL = "vital";

    private Vital() {}
}
