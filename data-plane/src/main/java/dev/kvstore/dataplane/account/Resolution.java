package dev.kvstore.dataplane.account;

/** What a key may do with a resource. */
public sealed interface Resolution {
    /**
     * It may read and write.
     *
     * @param keyId the key's public part, which is kept with what it writes
     */
    record Granted(Account account, String keyId) implements Resolution {}

    /** Nobody has this key. */
    record UnknownKey() implements Resolution {}

    /** There is no such resource, or it is not for this key; a caller must not learn which. */
    record NotGranted() implements Resolution {}
}
