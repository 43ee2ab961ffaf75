package dev.kvstore.client;

/**
 * The kinds of failure. They have the names and meanings of gRPC's codes; {@code kvstore.proto} says for each method
 * with which code it fails, and when.
 */
public enum ErrorCode {
    /** The operation was ended by the application, or its client was closed. */
    CANCELLED,
    /** A failure of which nothing more is known. */
    UNKNOWN,
    /** A field breaks its rule; {@link KvStoreException#violations} names it. Repeating does not help. */
    INVALID_ARGUMENT,
    /** The deadline was over before there was an answer. A write may have been stored all the same. */
    DEADLINE_EXCEEDED,
    /** There is no such block. */
    NOT_FOUND,
    /** Something of this name is there already. */
    ALREADY_EXISTS,
    /** The resource does not exist, or is not granted to this key. */
    PERMISSION_DENIED,
    /**
     * Server or client is at a limit; {@link KvStoreException#retryDelay} says when to come back. Memory or threads that
     * the client's process lacks are such a limit.
     */
    RESOURCE_EXHAUSTED,
    /** An admin must change something first; the message says what. Repeating does not help. */
    FAILED_PRECONDITION,
    /** The operation was given up because of another one. */
    ABORTED,
    /** Beyond an end. */
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
