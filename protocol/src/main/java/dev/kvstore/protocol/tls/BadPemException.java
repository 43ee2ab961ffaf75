package dev.kvstore.protocol.tls;

/** A PEM file cannot be used. */
public final class BadPemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String flaw;

    public BadPemException(String flaw) {
        super(flaw, null, false, false);
        this.flaw = flaw;
    }

    /** A message that names the option, the file and the way out, and quotes no content. */
    public String flaw() {
        return flaw;
    }
}
