package dev.kvstore.dataplane.warming;

/** The outcome of copying a block. */
sealed interface Outcome {
    /** The block was copied. */
    record Copied(int bytes) implements Outcome {}

    /** The target had the block already. */
    record Present() implements Outcome {}

    /**
     * The block cannot be copied.
     *
     * @param reason for an admin, without secrets
     * @param others whether no other block of the storage can be copied either
     */
    record Failed(String reason, boolean others) implements Outcome {}
}
