package dev.kvstore.dataplane.cluster;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.presence.AnnouncementEffect;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.peer.v1.AnnounceRequest;
import dev.kvstore.protocol.peer.v1.AnnounceResponse;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.protocol.peer.v1.WrittenBlocks;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** {@code kvstore.peer.v1.PeerService}: hears of the blocks that peers stored. Never waits. Thread-safe. */
public final class PeerCalls extends PeerServiceGrpc.PeerServiceImplBase {
    private final Presence presence;
    private final LongAdder accepted = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    public PeerCalls(Presence presence) {
        this.presence = presence;
    }

    /** Announced blocks, in partitions that are known here or not, except blocks that there was no room for. */
    public long accepted() {
        return accepted.sum();
    }

    /** Announced blocks for which there was no room. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public void announce(AnnounceRequest request, StreamObserver<AnnounceResponse> caller) {
        String flaw = flaw(request);
        if (flaw != null) {
            caller.onError(Status.INVALID_ARGUMENT.withDescription(flaw).asRuntimeException());
            return;
        }
        for (WrittenBlocks written : request.getWrittenList()) {
            List<BlockHash> hashes = hashes(written.getHashes());
            AnnouncementEffect heard =
                    presence.heard(written.getStorage(), WireNames.hash(written.getRoot()), hashes, written.getAnew());
            accepted.add(hashes.size() - heard.dropped());
            dropped.add(heard.dropped());
        }
        caller.onNext(AnnounceResponse.getDefaultInstance());
        caller.onCompleted();
    }

    private static @Nullable String flaw(AnnounceRequest request) {
        long bytes = 0;
        for (WrittenBlocks written : request.getWrittenList()) {
            bytes += written.getHashes().size();
            if (written.getRoot().size() != BlockHash.BYTES) {
                return "written.root: must be " + BlockHash.BYTES + " bytes";
            }
            if (written.getHashes().size() % BlockHash.BYTES != 0) {
                return "written.hashes: must be " + BlockHash.BYTES + " bytes each";
            }
        }
        return bytes > (long) Announcer.MAX_BLOCKS * BlockHash.BYTES
                ? "written.hashes: at most " + Announcer.MAX_BLOCKS + " blocks in one message"
                : null;
    }

    private static List<BlockHash> hashes(ByteString bytes) {
        List<BlockHash> hashes = new ArrayList<>(bytes.size() / BlockHash.BYTES);
        for (int at = 0; at < bytes.size(); at += BlockHash.BYTES) {
            hashes.add(WireNames.hash(bytes.substring(at, at + BlockHash.BYTES)));
        }
        return hashes;
    }
}
