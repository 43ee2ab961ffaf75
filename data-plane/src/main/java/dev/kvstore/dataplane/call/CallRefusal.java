package dev.kvstore.dataplane.call;

import com.google.protobuf.Any;
import com.google.protobuf.util.Durations;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException;
import java.time.Duration;
import java.util.Objects;

/** The refusal of a call, or of one item of a stream, as the wire sends it. */
public final class CallRefusal extends Exception {
    private static final long serialVersionUID = 1;

    /** Retry delays: memory becomes free as blocks are sent; storage needs more time. */
    private static final Duration RETRY_MEMORY = Duration.ofMillis(100);

    private static final Duration RETRY_STORAGE = Duration.ofSeconds(1);

    /** The reason in {@code google.rpc.ErrorInfo} of a refusal that is not an error. */
    private static final String DRAINING = "DRAINING";

    private static final String DOMAIN = "kvstore.v1";

    /** The remedy where a name stands for two layouts. */
    private static final String OTHER_LAYOUT =
            "; caches of another layout need a partition of another name: put model, data type and rank into it";

    private final Status status;

    /** Whether the caller itself is refused, and so all its requests. */
    public boolean isOfCaller() {
        return status.getCode() == Code.UNAUTHENTICATED.getNumber();
    }

    private CallRefusal(Status status) {
        super(status.getMessage(), null, false, false);
        this.status = status;
    }

    public Status status() {
        return status;
    }

    /** A field breaks its rule. */
    public static CallRefusal invalid(String field, String flaw) {
        BadRequest details = BadRequest.newBuilder()
                .addFieldViolations(
                        BadRequest.FieldViolation.newBuilder().setField(field).setDescription(flaw))
                .build();
        return new CallRefusal(status(Code.INVALID_ARGUMENT, field + ": " + flaw)
                .addDetails(Any.pack(details))
                .build());
    }

    /** The refusal of a caller without a good key, in one text for all: nobody learns which keys exist. */
    public static CallRefusal unauthenticated() {
        return of(
                Code.UNAUTHENTICATED,
                "authorization: the API key is missing, unknown or revoked;"
                        + " send a good one as \"Bearer kv_<id>_<secret>\"");
    }

    /** The refusal for the holder of a key that has ended, and for nobody else. */
    public static CallRefusal expired() {
        return of(
                Code.UNAUTHENTICATED, "authorization: this API key has expired: ask the tenant's admin for a new one");
    }

    /** The refusal for a key that has rights on the resource, and for no other. */
    public static CallRefusal notReady(String resourceName) {
        return of(
                Code.PERMISSION_DENIED,
                "resource_name: no trial of the storage of " + resourceName
                        + " has succeeded yet; kv admin get account " + resourceName + " has the report");
    }

    /** The refusal for a resource that does not exist and, with the same text, for one of another tenant. */
    public static CallRefusal denied() {
        return of(Code.PERMISSION_DENIED, "resource_name: does not exist, or is not granted to this API key");
    }

    public static CallRefusal notFound() {
        return of(Code.NOT_FOUND, "no such block");
    }

    /** @param removed whether storage let the block be deleted */
    public static CallRefusal damaged(String reason, boolean removed) {
        return of(
                Code.DATA_LOSS,
                "the stored block is damaged (" + reason + "); "
                        + (removed
                                ? "it can be written again"
                                : "storage does not let it be deleted, so an admin must"));
    }

    public static CallRefusal newerFormat(int version) {
        return of(Code.FAILED_PRECONDITION, "the block is stored in format version " + version + ", unknown here");
    }

    /** A block of the same name has another length. */
    public static CallRefusal otherLayout(int storedBytes, int sentBytes) {
        return of(
                Code.FAILED_PRECONDITION,
                "buffer: the block is stored with " + storedBytes + " bytes, and this one has " + sentBytes
                        + OTHER_LAYOUT);
    }

    /** A block has another length than its reader expects. */
    public static CallRefusal otherLength(int storedBytes, int expectedBytes) {
        return of(
                Code.FAILED_PRECONDITION,
                "expected_bytes: the block is stored with " + storedBytes + " bytes, and " + expectedBytes
                        + " are expected" + OTHER_LAYOUT);
    }

    /** The process is at a limit. */
    static CallRefusal exhausted(String what, Duration retryAfter) {
        RetryInfo details = RetryInfo.newBuilder()
                .setRetryDelay(Durations.fromMillis(retryAfter.toMillis()))
                .build();
        return new CallRefusal(status(Code.RESOURCE_EXHAUSTED, what)
                .addDetails(Any.pack(details))
                .build());
    }

    /** The process drains: the client should call another one. */
    static CallRefusal draining() {
        ErrorInfo details =
                ErrorInfo.newBuilder().setReason(DRAINING).setDomain(DOMAIN).build();
        return new CallRefusal(status(Code.UNAVAILABLE, "this process takes no new calls; ask another one")
                .addDetails(Any.pack(details))
                .build());
    }

    public static CallRefusal of(MemoryExhaustedException e) {
        return exhausted(String.valueOf(e.getMessage()), RETRY_MEMORY);
    }

    public static CallRefusal of(StorageException e, String resourceName) {
        return switch (e.kind()) {
            case UNAVAILABLE -> of(Code.UNAVAILABLE, "the storage of " + resourceName + " does not answer");
            case THROTTLED -> exhausted("the storage of " + resourceName + " asks for fewer requests", RETRY_STORAGE);
            case FORBIDDEN ->
                of(
                        Code.FAILED_PRECONDITION,
                        "the storage of " + resourceName + " refuses the service's credential"
                                + (e.remedy() == null ? "" : ": " + e.remedy()));
            case MISSING ->
                of(Code.FAILED_PRECONDITION, "the storage container of " + resourceName + " does not exist");
            case FULL -> of(Code.FAILED_PRECONDITION, "the storage of " + resourceName + " has no room left");
            case HELD ->
                of(
                        Code.FAILED_PRECONDITION,
                        "the storage of " + resourceName + " "
                                + Objects.requireNonNullElse(e.remedy(), "refuses to replace or delete blobs"));
        };
    }

    public static CallRefusal of(Code code, String message) {
        return new CallRefusal(status(code, message).build());
    }

    private static Status.Builder status(Code code, String message) {
        return Status.newBuilder().setCode(code.getNumber()).setMessage(message);
    }
}
