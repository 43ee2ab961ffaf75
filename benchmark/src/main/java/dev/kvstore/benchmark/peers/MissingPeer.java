package dev.kvstore.benchmark.peers;

import java.util.List;

/**
 * A peer that was not measured because the machine does not have it.
 *
 * @param programs that are not there
 * @param debianPackages that bring them
 */
record MissingPeer(ComparedSystem peer, List<String> programs, List<String> debianPackages) {
    static MissingPeer of(ComparedSystem peer, List<PeerProgram> programs) {
        return new MissingPeer(
                peer,
                programs.stream().map(PeerProgram::command).toList(),
                programs.stream().map(PeerProgram::debianPackage).toList());
    }

    @Override
    public String toString() {
        return peer.title() + ": no " + String.join(", no ", programs) + "; install "
                + String.join(" and ", debianPackages);
    }
}
