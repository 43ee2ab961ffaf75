package dev.kvstore.dataplane.warming;

/** What became of a block that was to be copied. */
sealed interface Outcome {
    /** It was not there, and is now. */
    record Copied(int bytes) implements Outcome {}

    /** It was there. */
    record Present() implements Outcome {}

    /**
     * It cannot be copied.
     *
     * @param reason for an admin, without secrets
     * @param others none of its storage's blocks can
     */
    record Failed(String reason, boolean others) implements Outcome {}
}
