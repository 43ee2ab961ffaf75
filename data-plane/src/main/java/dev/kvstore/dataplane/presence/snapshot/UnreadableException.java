package dev.kvstore.dataplane.presence.snapshot;

import org.jspecify.annotations.Nullable;

/** A blob of presence cannot be used; what it would have said must be found out otherwise. */
public final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String etag;
    private final boolean newer;

    /** It is damaged. */
    public UnreadableException(String message) {
        this(message, null, false);
    }

    private UnreadableException(String message, @Nullable String etag, boolean newer) {
        super(message, null, false, false);
        this.etag = etag;
        this.newer = newer;
    }

    /** It is in a format of the future: nothing of ours to judge or replace. */
    public static UnreadableException newer() {
        return new UnreadableException("its version is unknown", null, true);
    }

    /** The same of a blob. */
    public UnreadableException of(String name, String ofBlob) {
        return new UnreadableException(name + ": " + getMessage(), ofBlob, newer);
    }

    /** Which version of the blob it is, if it is one. */
    @Nullable
    public String etag() {
        return etag;
    }

    public boolean isNewer() {
        return newer;
    }
}
