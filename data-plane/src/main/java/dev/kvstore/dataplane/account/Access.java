package dev.kvstore.dataplane.account;

/** What can be done with blocks. */
public enum Access {
    /** Lookup, Read, StreamingRead. */
    READ,
    /** Write, StreamingWrite. */
    WRITE
}
