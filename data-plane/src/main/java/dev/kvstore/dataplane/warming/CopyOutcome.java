package dev.kvstore.dataplane.warming;

/** The outcome of copying a block. */
sealed interface CopyOutcome {
    /** The block was copied. */
    record Copied(int bytes) implements CopyOutcome {}

    /** The target had the block already. */
    record AlreadyThere() implements CopyOutcome {}

    /**
     * The block cannot be copied.
     *
     * @param reason for an admin, without secrets
     * @param others whether no other block of the storage can be copied either
     */
    record CopyFailed(String reason, boolean others) implements CopyOutcome {}
}
