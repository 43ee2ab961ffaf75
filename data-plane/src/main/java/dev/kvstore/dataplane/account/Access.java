package dev.kvstore.dataplane.account;

/** The operations on blocks that a right allows. */
public enum Access {
    /** Lookup, Read, StreamingRead. */
    READ,
    /** Write, StreamingWrite. */
    WRITE
}
