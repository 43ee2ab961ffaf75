package dev.kvstore.launcher.machine;

/**
 * How far a drain is.
 *
 * @param draining whether new calls are to go elsewhere
 * @param refusing whether new calls are refused: the time of grace is over
 * @param openCalls that have begun and not ended
 */
record DrainState(boolean draining, boolean refusing, long openCalls) {
    /** Of no process, and of one that does not answer: nothing is left to be finished. */
    static final DrainState OVER = new DrainState(true, true, 0);

    /** Of both together. */
    DrainState and(DrainState other) {
        return new DrainState(draining && other.draining, refusing && other.refusing, openCalls + other.openCalls);
    }

    /** Whether the process may end without a call noticing. */
    boolean isOver() {
        return refusing && openCalls == 0;
    }
}
