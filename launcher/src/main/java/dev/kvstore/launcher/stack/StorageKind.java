package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.EnumConverter;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** The kind of storage that a local stack keeps its blocks in. */
public enum StorageKind {
    /** The storage is a folder. */
    FILESYSTEM,
    /** The storage is Azurite, which speaks Azure Blob Storage's protocol and needs Node.js. */
    AZURITE;

    /** Reads one of a command line. */
    public static final class Converter implements ITypeConverter<StorageKind> {
        @Override
        public StorageKind convert(String text) {
            return new EnumConverter<>(StorageKind.class).convert(text);
        }
    }

    /** The word on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
