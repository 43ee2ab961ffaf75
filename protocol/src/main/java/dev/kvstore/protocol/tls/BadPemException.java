package dev.kvstore.protocol.tls;

/** A PEM file cannot be used. */
public final class BadPemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String flaw;

    public BadPemException(String flaw) {
        super(flaw, null, false, false);
        this.flaw = flaw;
    }

    /** Names option and file, and says the way out; quotes no content. */
    public String flaw() {
        return flaw;
    }
}
