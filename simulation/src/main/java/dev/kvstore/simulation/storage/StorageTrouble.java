package dev.kvstore.simulation.storage;

import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trouble that calls of a host to storage have for a while. Late listings are no such trouble: Azure's are
 * consistent, and the product relies on that. A body that breaks off is no such trouble either: the client of storage
 * notices it, and the call fails as in a {@link StorageMood}.
 */
public enum StorageTrouble {
    /** Storage refuses the credential. */
    FORBIDDEN(Kind.FORBIDDEN),

    /** An admin has disabled the account. */
    DISABLED(Kind.HELD),

    /** A policy or a lease keeps blobs as they are. */
    HELD(Kind.HELD),

    /** Storage has no room. */
    FULL(Kind.FULL),

    /** The answer is lost, and the client of storage asks again, as Azure's does, and gets the second answer. */
    ASKED_TWICE(null),

    /** The answer is lost, the client of storage asks again, and storage then asks for fewer requests. */
    ASKED_TWICE_TOO_OFTEN(null),

    /** A bit of the bytes that are read is flipped on its way. */
    FLIPPED(null),

    /** The bytes that are read end early, and their length says so. */
    SHORTENED(null);

    private static final List<String> READS = List.of("get", "getRange", "getIfChanged");
    private static final List<String> PUTS = List.of("putIfAbsent", "putIfMatch");
    private static final List<String> CHANGES = List.of("putIfMatch", "deleteIfMatch");

    private final @Nullable Kind refusal;

    StorageTrouble(@Nullable Kind refusal) {
        this.refusal = refusal;
    }

    /** The kind of failure of the calls, which have no effect then; null if they do not fail. */
    @Nullable
    Kind refusal() {
        return refusal;
    }

    boolean concerns(String operation) {
        return switch (this) {
            case FORBIDDEN, DISABLED -> true;
            case HELD -> CHANGES.contains(operation);
            case FULL -> PUTS.contains(operation);
            case ASKED_TWICE, ASKED_TWICE_TOO_OFTEN -> PUTS.contains(operation) || CHANGES.contains(operation);
            case FLIPPED, SHORTENED -> READS.contains(operation);
        };
    }
}
