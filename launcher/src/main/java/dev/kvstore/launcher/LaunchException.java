package dev.kvstore.launcher;

/** A program could not be started. The message names it and the way out, and is meant for the user as it is. */
public final class LaunchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LaunchException(String message) {
        super(message);
    }

    public LaunchException(String message, Throwable cause) {
        super(message, cause);
    }
}
