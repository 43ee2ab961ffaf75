package dev.kvstore.dataplane.memory;

/** The process, or the loads ahead of a stream, are at their memory limit. The call may be tried again later. */
public final class MemoryExhaustedException extends Exception {
    private static final long serialVersionUID = 1;

    private MemoryExhaustedException(String message) {
        super(message, null, false, false);
    }

    MemoryExhaustedException(int wanted, long limit) {
        this("no room for " + wanted + " bytes of block memory within the limit of " + limit);
    }

    /** The exception for a block that may not take this much memory before its turn. */
    static MemoryExhaustedException ofTurn(int wanted) {
        return new MemoryExhaustedException("no room to load " + wanted + " bytes before it is their turn");
    }
}
