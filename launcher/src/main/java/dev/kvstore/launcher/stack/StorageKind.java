package dev.kvstore.launcher.stack;

import java.util.Locale;

/** The kind of storage that a local stack keeps its blocks in. */
public enum StorageKind {
    /** A folder. */
    FILESYSTEM,
    /** Azurite, which speaks Azure Blob Storage's protocol; needs Node.js. */
    AZURITE;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
