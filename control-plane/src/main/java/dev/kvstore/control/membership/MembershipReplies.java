package dev.kvstore.control.membership;

import com.google.protobuf.Duration;
import dev.kvstore.clusters.member.Corrections;
import dev.kvstore.clusters.member.FleetReader;
import dev.kvstore.clusters.member.Peers;
import dev.kvstore.clusters.member.RenewedLease;
import dev.kvstore.protocol.control.v1.Instructions;
import dev.kvstore.protocol.control.v1.Peer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Instructions for data planes, in answers to heartbeats. Thread-safe. */
final class MembershipReplies {
    /** The peers of a cluster, encoded once for all its data planes, which all ask within one heartbeat. */
    private record EncodedReplies(String version, List<Peer> peers) {}

    /** The encoded replies, by cluster. */
    private final Map<String, EncodedReplies> told = new ConcurrentHashMap<>();

    /**
     * The instructions for a data plane.
     *
     * @param last empty if no fleet was read yet: then the answer has no peers
     * @param known the version of the peers that the data plane knows
     */
    Instructions instructions(
            RenewedLease lease, Optional<FleetReader.FleetSnapshot> last, String known, Corrections corrections) {
        Instructions.Builder instructions = Instructions.newBuilder()
                .setDrain(lease.drain())
                .setRefresh(lease.refresh())
                .setPeersVersion(known)
                .addAllCorrections(corrections.reasons());
        last.map(snapshot -> snapshot.peersOf(lease.cluster()))
                .filter(peers -> !peers.version().equals(known))
                .map(peers -> told.compute(
                        lease.cluster(),
                        (_, before) ->
                                before != null && before.version().equals(peers.version()) ? before : told(peers)))
                .ifPresent(all -> instructions
                        .setPeersVersion(all.version())
                        .addAllPeers(all.peers().stream()
                                .filter(peer -> !peer.getProcess().equals(lease.process()))
                                .toList()));
        return instructions.build();
    }

    private static EncodedReplies told(Peers peers) {
        return new EncodedReplies(
                peers.version(),
                peers.all().stream()
                        .map(peer -> Peer.newBuilder()
                                .setProcess(peer.process())
                                .setInstance(peer.instance())
                                .setAddress(peer.address())
                                .setToken(peer.token())
                                .build())
                        .toList());
    }

    static Duration duration(java.time.Duration time) {
        return Duration.newBuilder()
                .setSeconds(time.getSeconds())
                .setNanos(time.getNano())
                .build();
    }
}
