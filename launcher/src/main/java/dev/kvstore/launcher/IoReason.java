package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Objects;

/**
 * Explains to users why a file could not be read or written: an exception's own message is often no more than the
 * file's name.
 */
public final class IoReason {
    private IoReason() {}

    /** The reason alone, such as {@code permission denied}. */
    public static String of(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "is there already, and is no folder";
            case FileSystemException system
            when system.getReason() != null -> system.getReason().toLowerCase(Locale.ROOT);
            default -> Objects.requireNonNullElse(failure.getMessage(), "input or output failed");
        };
    }

    /** The file's name, if the failure has it, and the reason. */
    public static String withFile(IOException failure) {
        boolean named = failure instanceof FileSystemException system && system.getFile() != null;
        return named ? ((FileSystemException) failure).getFile() + ": " + of(failure) : of(failure);
    }
}
