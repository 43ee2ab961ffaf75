package dev.kvstore.dataplane.account;

/** What a key may do with a resource. */
public sealed interface Resolution {
    /**
     * It may do something.
     *
     * @param keyId the key's public part, which is kept with what it writes
     * @param rights at least one
     */
    record Granted(Account account, String keyId, Rights rights) implements Resolution {}

    /** Nobody has this key. */
    record UnknownKey() implements Resolution {}

    /** There is no such resource, or it is not for this key; a caller must not learn which. */
    record NotGranted() implements Resolution {}

    /**
     * Nobody who knows could be asked; it is worth trying again.
     *
     * @param reason for the caller
     */
    record Unanswered(String reason) implements Resolution {}
}
