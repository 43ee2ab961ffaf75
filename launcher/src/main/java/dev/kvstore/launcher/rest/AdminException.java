package dev.kvstore.launcher.rest;

import dev.kvstore.launcher.LaunchException;

/** A control plane did not carry out a request. The message has the reason, and is meant for the user as it is. */
public final class AdminException extends LaunchException {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * @param status the HTTP status; 0 if no server answered
     * @param message the reason, which may contain text of others
     */
    public AdminException(int status, String message) {
        super(Plain.lines(message));
        this.status = status;
    }

    /** The HTTP status; 0 if no server answered. */
    public int status() {
        return status;
    }
}
