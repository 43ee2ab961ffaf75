package dev.kvstore.dataplane.call;

import com.google.rpc.Code;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns failures into the refusals that callers are told. Causes go to the log, never over the wire. Thread-safe. */
public final class CallFailures {
    private static final Logger LOG = System.getLogger(CallFailures.class.getName());

    // The process has one storage log, as it has one log.
    private static final StorageLog STORAGE = new StorageLog(InstantSource.system(), LOG::log);

    private CallFailures() {}

    /**
     * The refusal that a failure amounts to.
     *
     * @param resourceName the resource it happened under
     */
    public static CallRefusal refusal(Throwable failure, String resourceName) {
        return switch (failure) {
            case CallRefusal refusal -> refusal;
            case MemoryExhaustedException e -> CallRefusal.of(e);
            case StorageException e -> {
                STORAGE.failed(resourceName, e);
                yield CallRefusal.of(e, resourceName);
            }
            case ExecutionException e when e.getCause() != null -> refusal(e.getCause(), resourceName);
            case CompletionException e when e.getCause() != null -> refusal(e.getCause(), resourceName);
            case InterruptedException _ -> CallRefusal.of(Code.UNAVAILABLE, "the server is stopping");
            default -> {
                LOG.log(Level.ERROR, "a call failed unexpectedly", failure);
                yield CallRefusal.of(Code.INTERNAL, "the server failed unexpectedly; its log says why");
            }
        };
    }

    /** Ends a call with a refusal. */
    public static void close(ServerCall<?, ?> call, CallRefusal refusal) {
        StatusRuntimeException e = StatusProto.toStatusRuntimeException(refusal.status());
        Metadata trailers = e.getTrailers();
        call.close(e.getStatus(), trailers == null ? new Metadata() : trailers);
    }
}
