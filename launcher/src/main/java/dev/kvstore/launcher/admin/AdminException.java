package dev.kvstore.launcher.admin;

/** A control plane did not carry out a request. The message says why, and is meant for the user as it is. */
public final class AdminException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * @param status HTTP's; 0 where nothing answered
     * @param message may have what others have written in it
     */
    AdminException(int status, String message) {
        super(Plain.lines(message));
        this.status = status;
    }

    /** HTTP's; 0 where nothing answered. */
    public int status() {
        return status;
    }
}
