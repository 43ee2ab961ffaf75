package dev.kvstore.benchmark.kvcache.tier;

import java.io.IOException;

/** A tier gave back other bytes than it was given. */
public final class DamageException extends IOException {
    private static final long serialVersionUID = 1;

    /** @param offset of the first page that differs, in the entry */
    public DamageException(EntryBytes blob, long offset) {
        super("entry " + blob.id() + " was read with wrong bytes at " + offset);
    }
}
