package dev.kvstore.dataplane.block;

/**
 * The length that a caller expects of the buffers of its blocks. Immutable.
 *
 * @param bytes 1 to 64 MiB; 0 for any
 */
public record ExpectedLength(int bytes) {
    /** Admits blocks of any length. */
    public static final ExpectedLength ANY = new ExpectedLength(0);

    /** Whether a buffer of any length will do. */
    public boolean isAny() {
        return bytes == 0;
    }

    /** Whether a buffer of this length will do. */
    public boolean admits(int bufferBytes) {
        return isAny() || bytes == bufferBytes;
    }
}
