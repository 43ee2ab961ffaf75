package dev.kvstore.dataplane.memory;

/** The process is at its memory limit. The call may be tried again later. */
public final class MemoryExhaustedException extends Exception {
    private static final long serialVersionUID = 1;

    MemoryExhaustedException(int wanted, long limit) {
        super("no room for " + wanted + " bytes of block memory within the limit of " + limit, null, false, false);
    }
}
