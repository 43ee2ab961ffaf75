package dev.kvstore.dataplane.presence.snapshot;

import org.jspecify.annotations.Nullable;

/** A blob of presence cannot be used; its facts must be found out in another way. */
public final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    private enum SnapshotFlaw {
        DAMAGED,
        NEWER,
        BEYOND_LIMITS
    }

    private final @Nullable String etag;
    private final SnapshotFlaw flaw;

    /** An exception for a damaged blob. */
    public UnreadableException(String message) {
        this(message, null, SnapshotFlaw.DAMAGED);
    }

    private UnreadableException(String message, @Nullable String etag, SnapshotFlaw flaw) {
        super(message, null, false, false);
        this.etag = etag;
        this.flaw = flaw;
    }

    /** An exception for a blob in a newer format, which is not ours to judge or replace. */
    public static UnreadableException newer() {
        return new UnreadableException("its version is unknown", null, SnapshotFlaw.NEWER);
    }

    /**
     * An exception for a blob that goes beyond a limit, or is whole and has content that no process of ours writes. It
     * is not ours to replace or delete.
     */
    public static UnreadableException beyondLimits(String message) {
        return new UnreadableException(message, null, SnapshotFlaw.BEYOND_LIMITS);
    }

    /** The same exception, with the name of the blob. */
    public UnreadableException of(String name, String ofBlob) {
        return new UnreadableException(name + ": " + getMessage(), ofBlob, flaw);
    }

    /** The ETag of the blob, if that is known. */
    @Nullable
    public String etag() {
        return etag;
    }

    public boolean isNewer() {
        return flaw == SnapshotFlaw.NEWER;
    }

    public boolean isBeyondLimits() {
        return flaw == SnapshotFlaw.BEYOND_LIMITS;
    }
}
