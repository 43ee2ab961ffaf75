package dev.kvstore.endtoend;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Reply;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a caller that has no right to it.
 *
 * @param real whether its target exists; else it was made up
 * @param authorization the header; null if there is none
 */
record ForbiddenAttempt(
        ForbiddenReason kind,
        boolean real,
        BlockOperation operation,
        @Nullable String authorization,
        BlockTarget target) {
    /** Why it may not be, and how that has to end. */
    enum ForbiddenReason {
        /** Nobody has such a key, any more. */
        NO_KEY(Code.UNAUTHENTICATED),
        /** A good key, and an account that it has no right in. */
        OTHERS_ACCOUNT(Code.PERMISSION_DENIED),
        /** A good key, and a partition that it has no right in, of an account where it has some. */
        OTHERS_PARTITION(Code.PERMISSION_DENIED),
        /** Writing where only reading is granted. */
        READ_ONLY(Code.PERMISSION_DENIED),
        /** Another's blocks, asked for in an account of one's own. */
        OTHERS_BLOCK(Code.NOT_FOUND),
        /** Blocks of elsewhere, said to be in the partition that is granted. */
        MISPLACED_BLOCK(Code.NOT_FOUND);

        private final Code code;

        ForbiddenReason(Code code) {
            this.code = code;
        }
    }

    /** How it has to end. Looking up what is not there is no error. */
    Code expected() {
        return kind.code == Code.NOT_FOUND && operation.looksUp() ? Code.OK : kind.code;
    }

    /** How it ended: as a call, or as the one item that was asked for. */
    Code code(Reply reply) {
        List<Status> refusals = operation.refusals(reply);
        return reply.code() == Code.OK && !refusals.isEmpty()
                ? io.grpc.Status.fromCodeValue(refusals.getFirst().getCode()).getCode()
                : reply.code();
    }

    /** All that the caller was told, its own words apart. */
    String told(Reply reply) {
        // Comes with headers, which go before the end of a stream unless the key was refused just before.
        Set<String> metadata = new TreeSet<>(reply.metadata());
        metadata.remove("grpc-encoding");
        String answer = operation.looksUp() && reply.code() == Code.OK ? found(reply) : "";
        return "%s %s %s %s %s %s"
                .formatted(
                        reply.code(),
                        reply.status().getDescription(),
                        reply.details(),
                        metadata,
                        operation.refusals(reply),
                        answer)
                .replace(target.resource(), "RESOURCE")
                .replace(target.prompt().partition().name(), "PARTITION");
    }

    private String found(Reply reply) {
        try {
            LookupResponse found = operation.found(reply.messages().getFirst());
            boolean none = found.getLastHash()
                    .equals(WireNames.field(target.prompt().partition().root()));
            return found.getCachedBlocks() + " blocks, " + found.getLocationsCount() + " locations, "
                    + (none ? "none known" : "some known");
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** The key is nobody's business. */
    @Override
    public String toString() {
        return "%s %s %s of %s"
                .formatted(kind, operation, real ? "what there is" : "what was made up", target.resource());
    }
}
