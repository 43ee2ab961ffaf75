package dev.kvstore.protocol.tls;

import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made from files, and again when they change. If the new files cannot be used, the old value stays.
 * The content is compared, not times, so that this class notices a file written in place, a file renamed over another,
 * and a symbolic link that points elsewhere. Any thread may call {@link #current}, one at a time {@link #poll}.
 */
public final class TlsRotation<T> {
    /** Makes the value that connections need. */
    @FunctionalInterface
    public interface Maker<T> {
        /** @throws BadPemException if the TLS stack refuses the material */
        T make(TlsMaterial material) throws BadPemException;
    }

    /** The outcome of a comparison of the files with the last ones. */
    public sealed interface RotationOutcome {}

    /** The files are unchanged, or have a flaw that was reported before. */
    public record UnchangedFiles() implements RotationOutcome {}

    /** New connections use new files. */
    public record Renewed() implements RotationOutcome {}

    /** @param flaw the flaw of the new files, with option and file */
    public record RefusedFiles(String flaw) implements RotationOutcome {}

    private final TlsFiles files;
    private final InstantSource clock;
    private final Maker<T> maker;
    private volatile T current;
    private TlsFiles.TlsText seen;
    private @Nullable String unreadable;

    /** @throws BadPemException if the files cannot be used */
    public TlsRotation(TlsFiles files, InstantSource clock, Maker<T> maker) throws BadPemException {
        this.files = files;
        this.clock = clock;
        this.maker = maker;
        this.seen = files.content();
        this.current = maker.make(files.parse(seen, clock.instant()));
    }

    public T current() {
        return current;
    }

    /** Compares the files with the last ones. A flaw is reported once, until something changes. */
    public RotationOutcome poll() {
        TlsFiles.TlsText text;
        try {
            text = files.content();
        } catch (BadPemException e) {
            boolean told = e.flaw().equals(unreadable);
            unreadable = e.flaw();
            return told ? new UnchangedFiles() : new RefusedFiles(e.flaw());
        }
        unreadable = null;
        if (text.equals(seen)) {
            return new UnchangedFiles();
        }
        seen = text;
        try {
            current = maker.make(files.parse(text, clock.instant()));
            return new Renewed();
        } catch (BadPemException e) {
            return new RefusedFiles(e.flaw());
        }
    }
}
