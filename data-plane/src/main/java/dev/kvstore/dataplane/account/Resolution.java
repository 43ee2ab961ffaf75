package dev.kvstore.dataplane.account;

/** The rights of a key on a resource. */
public sealed interface Resolution {
    /**
     * The key has rights.
     *
     * @param keyId the key's public part, which is kept with the blocks that it writes
     * @param rights at least one
     */
    record Granted(Account account, String keyId, Rights rights) implements Resolution {}

    /**
     * The key does not exist, or not any more.
     *
     * @param expired whether the shown key has ended; only its holder may learn that
     */
    record UnknownKey(boolean expired) implements Resolution {}

    /**
     * The resource does not exist, or the key has no right there; the caller must not learn which.
     *
     * @param notReady whether the key has rights there, and no trial of the resource's storage has succeeded
     */
    record NotGranted(boolean notReady) implements Resolution {}

    /**
     * The control plane could not be asked. Trying again may help.
     *
     * @param reason for the caller
     */
    record Unanswered(String reason) implements Resolution {}
}
