package dev.kvstore.launcher.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The progress of a drain.
 *
 * @param draining whether new calls are to go elsewhere
 * @param refusing whether new calls are refused: the time of grace is over
 * @param openCalls calls that have begun and not ended
 * @param silent data planes that run and do not answer: they may have open calls
 */
record DrainState(boolean draining, boolean refusing, long openCalls, long silent) {
    /** The state of no process, or of a process that has ended: no open call is left. */
    static final DrainState OVER = new DrainState(true, true, 0, 0);

    /** The state of a process that runs and does not answer: its calls are not known. */
    static final DrainState SILENT = new DrainState(false, false, 0, 1);

    /** Reads the state from the answer of {@code /drain} of a data plane or a machine. */
    static DrainState of(JsonNode told) {
        return new DrainState(
                told.path("draining").asBoolean(),
                told.path("refusing").asBoolean(),
                told.path("openCalls").asLong(),
                told.path("silent").asLong());
    }

    /** The state as JSON. */
    ObjectNode json() {
        return new ObjectMapper()
                .createObjectNode()
                .put("draining", draining)
                .put("refusing", refusing)
                .put("openCalls", openCalls)
                .put("silent", silent);
    }

    /** The sum of two states. */
    DrainState and(DrainState other) {
        return new DrainState(
                draining && other.draining,
                refusing && other.refusing,
                openCalls + other.openCalls,
                silent + other.silent);
    }

    /** Whether the process may end without breaking a call. */
    boolean isOver() {
        return refusing && openCalls == 0 && silent == 0;
    }
}
