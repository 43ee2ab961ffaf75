package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.Operation;

/**
 * One thing that is measured.
 *
 * @param clients at a time
 */
record Case(Peer peer, Operation operation, int blockBytes, int clients) {
    @Override
    public String toString() {
        return peer.title() + " " + operation + ", " + blockBytes + " B, " + clients
                + (clients == 1 ? " client" : " clients");
    }
}
