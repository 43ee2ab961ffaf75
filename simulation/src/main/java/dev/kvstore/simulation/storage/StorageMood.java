package dev.kvstore.simulation.storage;

/**
 * The treatment of a host by storage.
 *
 * @param refused the part of the calls that fail and have no effect, 0 to 1
 * @param unanswered the part of the calls that have their effect and fail, 0 to 1
 * @param slowed the factor by which calls take longer, 1 or more
 * @param operation the one operation that fails; empty for all
 */
public record StorageMood(double refused, double unanswered, int slowed, String operation) {
    /** Each call works, and takes some milliseconds. */
    public static final StorageMood CALM = new StorageMood(0, 0, 1, "");

    /** Whether calls fail. If not, they only take longer. */
    public boolean fails() {
        return refused > 0 || unanswered > 0;
    }

    boolean concerns(String called) {
        return operation.isEmpty() || operation.equals(called);
    }
}
