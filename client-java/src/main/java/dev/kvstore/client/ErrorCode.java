package dev.kvstore.client;

/**
 * The kinds of failure. The kinds have the names and meanings of gRPC's codes; {@code kvstore.proto} lists the codes
 * with which each method fails.
 */
public enum ErrorCode {
    /** The application ended the operation, or closed its client. */
    CANCELLED,
    /** The cause of the failure is not known. */
    UNKNOWN,
    /** A field breaks its rule; {@link KvStoreException#violations} names it. Repeating does not help. */
    INVALID_ARGUMENT,
    /** The deadline passed before there was an answer. A write may have been stored all the same. */
    DEADLINE_EXCEEDED,
    /** There is no such block. */
    NOT_FOUND,
    /** A resource of this name exists already. */
    ALREADY_EXISTS,
    /** The resource does not exist, or is not granted to this key. */
    PERMISSION_DENIED,
    /**
     * Server or client is at a limit; {@link KvStoreException#retryDelay} says when to come back. Memory or threads that
     * the client's process lacks are such a limit.
     */
    RESOURCE_EXHAUSTED,
    /** An admin must change something first; the message names the change. Repeating does not help. */
    FAILED_PRECONDITION,
    /** The operation was given up because of a conflicting one. */
    ABORTED,
    /** A value is beyond its range. */
    OUT_OF_RANGE,
    /** The server does not know the method. */
    UNIMPLEMENTED,
    /** Client and server do not understand each other: a bug in one of them. */
    INTERNAL,
    /** The server cannot be reached, or its storage cannot. Repeating may help. */
    UNAVAILABLE,
    /** The stored block is damaged; it can be written again. */
    DATA_LOSS,
    /** The key is missing, malformed or not valid any more. */
    UNAUTHENTICATED
}
