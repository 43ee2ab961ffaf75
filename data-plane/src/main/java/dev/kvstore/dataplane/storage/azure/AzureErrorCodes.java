package dev.kvstore.dataplane.storage.azure;

import com.azure.storage.blob.models.BlobErrorCode;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The error codes of conflicts: whether a conflict passes by itself, the state of the blob that it tells of, and the
 * remedy that an admin reads. For a code that is not listed here, an admin reads its name.
 */
final class AzureErrorCodes {
    private static final String ALL = "refuses to replace or delete blobs";
    private static final String ONE = "refuses to replace or delete a blob";

    private static final BlobErrorCode IMMUTABLE = BlobErrorCode.BLOB_IMMUTABLE_DUE_TO_POLICY;

    /** Conflicts with another call, or with work of the storage that ends. */
    private static final Set<BlobErrorCode> PASSING = Set.of(
            BlobErrorCode.ACCOUNT_BEING_CREATED,
            BlobErrorCode.BLOB_ALREADY_EXISTS,
            BlobErrorCode.BLOB_OVERWRITTEN,
            BlobErrorCode.CONDITION_NOT_MET,
            BlobErrorCode.CONTAINER_ALREADY_EXISTS,
            BlobErrorCode.OPERATION_TIMED_OUT,
            BlobErrorCode.PENDING_COPY_OPERATION,
            BlobErrorCode.RESOURCE_ALREADY_EXISTS,
            BlobErrorCode.SOURCE_CONDITION_NOT_MET,
            BlobErrorCode.SYSTEM_IN_USE,
            BlobErrorCode.TARGET_CONDITION_NOT_MET);

    private static final Set<BlobErrorCode> ARCHIVED =
            Set.of(BlobErrorCode.BLOB_ARCHIVED, BlobErrorCode.BLOB_BEING_REHYDRATED);

    /** Codes about a blob that is not overwritten, and may be deleted. */
    private static final Set<BlobErrorCode> TO_DELETE_FIRST =
            Set.of(BlobErrorCode.BLOB_ARCHIVED, BlobErrorCode.BLOB_BEING_REHYDRATED, BlobErrorCode.INVALID_BLOB_TYPE);

    /** Codes about a blob that is there, whatever else is wrong with it. */
    private static final Set<BlobErrorCode> IN_THE_WAY = Set.of(
            BlobErrorCode.BLOB_ARCHIVED,
            BlobErrorCode.BLOB_BEING_REHYDRATED,
            BlobErrorCode.INVALID_BLOB_TYPE,
            BlobErrorCode.LEASE_ID_MISSING,
            IMMUTABLE);

    private static final Map<BlobErrorCode, Remedy> REMEDIES = Map.of(
            IMMUTABLE,
            new Remedy(
                    ALL,
                    "a legal hold or a retention policy keeps them; remove it from the container, or use a container without"
                            + " one"),
            BlobErrorCode.SNAPSHOTS_PRESENT,
            new Remedy(ONE, "it has snapshots; delete these"),
            BlobErrorCode.BLOB_ARCHIVED,
            new Remedy(ONE, "it is archived; delete it, and have no rule archive blobs below kv/"),
            BlobErrorCode.BLOB_BEING_REHYDRATED,
            new Remedy(
                    ONE, "it is on its way out of the archive tier, for hours; have no rule archive blobs below kv/"),
            BlobErrorCode.INVALID_BLOB_TYPE,
            new Remedy(ONE, "it is an append blob or a page blob, which another program put there; delete it"),
            BlobErrorCode.ACCOUNT_IS_DISABLED,
            new Remedy("refuses every call", "the storage account is disabled; enable it"),
            BlobErrorCode.CONTAINER_DISABLED,
            new Remedy("refuses every call", "the container is disabled; enable it"),
            BlobErrorCode.BLOB_USES_CUSTOMER_SPECIFIED_ENCRYPTION,
            new Remedy(
                    "does not show a blob",
                    "another program encrypted it with a key of its own; delete it, and have no program write below kv/"));

    private record Remedy(String refusal, String change) {
        String of(BlobErrorCode code) {
            return refusal + " (" + code + "): " + change;
        }
    }

    private AzureErrorCodes() {}

    /** Whether a blob cannot be read for being archived. */
    static boolean isArchived(@Nullable BlobErrorCode code) {
        return code != null && ARCHIVED.contains(code);
    }

    /** Whether a blob cannot be overwritten, and might be deleted. */
    static boolean isToDeleteFirst(@Nullable BlobErrorCode code) {
        return code != null && TO_DELETE_FIRST.contains(code);
    }

    /** Whether a put was refused for a blob that has its name. */
    static boolean isInTheWay(@Nullable BlobErrorCode code) {
        return code != null && IN_THE_WAY.contains(code);
    }

    /** Whether the account or container is switched off, whatever the status of the answer. */
    static boolean isDisabled(@Nullable BlobErrorCode code) {
        return BlobErrorCode.ACCOUNT_IS_DISABLED.equals(code) || BlobErrorCode.CONTAINER_DISABLED.equals(code);
    }

    static boolean isOfLease(BlobErrorCode code) {
        return code.toString().startsWith("Lease");
    }

    /** Whether a conflict is over sooner or later. An answer without a code does not come from storage. */
    static boolean passes(@Nullable BlobErrorCode code) {
        return code == null || PASSING.contains(code);
    }

    /** Why storage refuses, and what an admin must change; follows "storage". */
    static String remedy(BlobErrorCode code) {
        Remedy known = REMEDIES.get(code);
        if (known != null) {
            return known.of(code);
        }
        return isOfLease(code)
                ? new Remedy(ONE, "somebody has a lease on it; break the lease").of(code)
                : "refuses the call (" + code + "), and will until an admin changes the account or the container";
    }
}
