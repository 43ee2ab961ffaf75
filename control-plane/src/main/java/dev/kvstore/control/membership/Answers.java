package dev.kvstore.control.membership;

import com.google.protobuf.Duration;
import dev.kvstore.clusters.member.Corrections;
import dev.kvstore.clusters.member.FleetReader;
import dev.kvstore.clusters.member.Heard;
import dev.kvstore.clusters.member.Peers;
import dev.kvstore.protocol.control.v1.Instructions;
import dev.kvstore.protocol.control.v1.Peer;
import java.util.Optional;

/** What data planes are told. Stateless. */
final class Answers {
    private Answers() {}

    /**
     * What a process is to do.
     *
     * @param last empty if the fleet was never read: then nothing is said of peers
     * @param known the version of the peers that it knows
     */
    static Instructions instructions(
            Heard heard, Optional<FleetReader.Snapshot> last, String known, Corrections corrections) {
        Instructions.Builder instructions = Instructions.newBuilder()
                .setDrain(heard.drain())
                .setRefresh(heard.refresh())
                .setPeersVersion(known)
                .addAllCorrections(corrections.reasons());
        last.map(snapshot -> snapshot.peersOf(heard.cluster()))
                .filter(peers -> !peers.version().equals(known))
                .ifPresent(peers -> add(instructions, peers, heard.process()));
        return instructions.build();
    }

    private static void add(Instructions.Builder instructions, Peers peers, String self) {
        instructions.setPeersVersion(peers.version());
        for (Peers.Peer peer : peers.all()) {
            if (!peer.process().equals(self)) {
                instructions.addPeers(Peer.newBuilder()
                        .setProcess(peer.process())
                        .setInstance(peer.instance())
                        .setAddress(peer.address())
                        .setToken(peer.token()));
            }
        }
    }

    static Duration duration(java.time.Duration time) {
        return Duration.newBuilder()
                .setSeconds(time.getSeconds())
                .setNanos(time.getNano())
                .build();
    }
}
