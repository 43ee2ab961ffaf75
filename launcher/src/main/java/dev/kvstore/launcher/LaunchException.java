package dev.kvstore.launcher;

/** A command cannot go on. The message says why and the way out, and is meant for the user as it is. */
public class LaunchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LaunchException(String message) {
        super(message);
    }

    public LaunchException(String message, Throwable cause) {
        super(message, cause);
    }
}
