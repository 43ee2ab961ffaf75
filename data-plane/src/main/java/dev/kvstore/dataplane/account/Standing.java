package dev.kvstore.dataplane.account;

/** What is known of an API key before anything else of a call is looked at. */
public enum Standing {
    /** Somebody had the key when that was last asked. */
    GOOD,
    /** Nobody had it when that was last asked, not long ago. */
    UNKNOWN,
    /** Somebody had it, and something about it has changed since; it has to be asked about, before those never heard of. */
    DOUBTED,
    /** It has to be asked about; also after asking, if nobody answered. */
    UNHEARD
}
