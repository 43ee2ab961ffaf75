package dev.kvstore.launcher.stack;

import java.util.Locale;

/** The kind of storage that a local stack keeps its blocks in. */
public enum StorageKind {
    /** The storage is a folder. */
    FILESYSTEM,
    /** The storage is Azurite, which speaks Azure Blob Storage's protocol and needs Node.js. */
    AZURITE;

    /** The word on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
