package dev.kvstore.benchmark.peers.load;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The server that a load process asks: the first line of its input.
 *
 * @param protocol how
 * @param port of the loopback address, where it connects
 * @param pid of the process that answers
 * @param key for KV Store; empty for others
 * @param trust PEM file of the authority of its certificate; null without TLS
 */
public record LoadTarget(
        Protocol protocol,
        int port,
        long pid,
        String key,
        @Nullable Path trust,
        int blockBytes,
        Damage damage) {
    /** The protocol of the target. */
    public enum Protocol {
        KVSTORE,
        /** The SDK on grpc-java in place of its own HTTP/2. */
        KVSTORE_GRPC_JAVA,
        TCP,
        GRPC,
        LETTUCE
    }

    WorkingSet workingSet() {
        return WorkingSet.of(blockBytes, damage);
    }
}
