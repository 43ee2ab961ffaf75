package dev.kvstore.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file that {@code --json} names, or none. Another process may write the file, too. One thread uses this object.
 */
public final class ReportFile {
    private static final String FLAG = "--json";

    private final @Nullable Path file;
    private @Nullable String written;

    private ReportFile(@Nullable Path file) {
        this.file = file;
    }

    /**
     * Checks that the file can be written. Must be called before anything is started.
     *
     * @param file null for none
     * @throws IllegalArgumentException if it cannot be written; then nothing has changed
     */
    public static ReportFile of(@Nullable Path file) {
        if (file != null) {
            WritablePath.requireFile(FLAG, file);
        }
        return new ReportFile(file);
    }

    /**
     * Writes the file whole or not at all, for its owner only; its folder is made if missing.
     *
     * @throws LaunchException if the file cannot be written
     */
    public void write(String json) {
        if (file == null) {
            return;
        }
        String text = json + "\n";
        try {
            PrivateFile.write(file, text);
            written = text;
        } catch (IOException e) {
            throw new LaunchException(FLAG + ": " + file + " cannot be written: " + IoReason.of(e), e);
        }
    }

    /**
     * Deletes the file if it still has the content that was written here.
     *
     * @throws LaunchException if the file cannot be deleted
     */
    public void deleteOwn() {
        if (file == null || written == null) {
            return;
        }
        try {
            if (Files.readString(file, UTF_8).equals(written)) {
                Files.delete(file);
            }
        } catch (NoSuchFileException gone) {
            // A missing file is as it should be.
        } catch (IOException e) {
            throw new LaunchException(FLAG + ": " + file + " cannot be deleted: " + IoReason.of(e), e);
        }
    }
}
