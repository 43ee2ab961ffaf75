package dev.kvstore.dataplane.presence;

import org.jspecify.annotations.Nullable;

/** A blob of presence cannot be used; what it would have said must be found out otherwise. */
final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String etag;
    private final boolean newer;

    /** It is damaged. */
    UnreadableException(String message) {
        this(message, null, false);
    }

    private UnreadableException(String message, @Nullable String etag, boolean newer) {
        super(message, null, false, false);
        this.etag = etag;
        this.newer = newer;
    }

    /** It is in a format of the future: nothing of ours to judge or replace. */
    static UnreadableException newer() {
        return new UnreadableException("its version is unknown", null, true);
    }

    /** The same of a blob. */
    UnreadableException of(String name, String ofBlob) {
        return new UnreadableException(name + ": " + getMessage(), ofBlob, newer);
    }

    /** Which version of the blob it is, if it is one. */
    @Nullable
    String etag() {
        return etag;
    }

    boolean isNewer() {
        return newer;
    }
}
