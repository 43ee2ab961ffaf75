package dev.kvstore.settings;

/** A flag's value cannot be used; the message names the flag and the way out. */
public final class BadFlag extends Exception {
    private static final long serialVersionUID = 1;

    public BadFlag(String message) {
        super(message, null, false, false);
    }
}
