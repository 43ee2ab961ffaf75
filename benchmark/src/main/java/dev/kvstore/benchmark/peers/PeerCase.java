package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.PeerOperation;

/**
 * One thing that is measured.
 *
 * @param clients at a time
 */
record PeerCase(ComparedSystem peer, PeerOperation operation, int blockBytes, int clients) {
    @Override
    public String toString() {
        return peer.title() + " " + operation + ", " + blockBytes + " B, " + clients
                + (clients == 1 ? " client" : " clients");
    }
}
