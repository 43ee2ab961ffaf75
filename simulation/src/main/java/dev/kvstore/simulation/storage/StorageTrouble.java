package dev.kvstore.simulation.storage;

import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to calls of a host to storage for a while. Listings that are late are not among it: Azure's are
 * consistent, and the product relies on that. Nor is a body that breaks off, which the client of storage notices: such
 * a call fails, as a mood has it.
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

    /** The answer is lost, and the client of storage asks again, as Azure's does: it gets the answer to that. */
    ASKED_TWICE(null),

    /** The same, and the second time storage asks for fewer requests. */
    ASKED_TWICE_TOO_OFTEN(null),

    /** A bit of what is read is another one on its way. */
    FLIPPED(null),

    /** What is read ends early, and its length says so. */
    SHORTENED(null);

    private static final List<String> READS = List.of("get", "getRange", "getIfChanged");
    private static final List<String> PUTS = List.of("putIfAbsent", "putIfMatch");
    private static final List<String> CHANGES = List.of("putIfMatch", "deleteIfMatch");

    private final @Nullable Kind refusal;

    StorageTrouble(@Nullable Kind refusal) {
        this.refusal = refusal;
    }

    /** How the calls fail, which have no effect then; null if they do not. */
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
