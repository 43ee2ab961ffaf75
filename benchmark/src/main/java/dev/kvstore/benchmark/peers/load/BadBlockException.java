package dev.kvstore.benchmark.peers.load;

/**
 * A block is missing, or has not the bytes that were written; the message says which block. The run has failed then.
 */
public final class BadBlockException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public BadBlockException(String message) {
        super(message);
    }
}
