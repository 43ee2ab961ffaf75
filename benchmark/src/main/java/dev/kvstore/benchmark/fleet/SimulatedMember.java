package dev.kvstore.benchmark.fleet;

import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A process that is none. Thread-safe. */
final class SimulatedMember {
    private static final int PORTS = 50_000;
    private static final int FIRST_PORT = 1_024;
    private static final String PEER_TOKEN = "a-token-of-the-benchmark-for-peers";

    final int number;
    final String cluster;

    /** Null if it sends no heartbeats. */
    volatile @Nullable String lease;

    volatile String peersVersion = "";

    /** When the last heartbeat was sent that was answered, of {@link System#nanoTime}. */
    volatile long lastHeard;

    SimulatedMember(int number, String cluster) {
        this.number = number;
        this.cluster = cluster;
    }

    RegisterRequest registration() {
        return RegisterRequest.newBuilder()
                .setCluster(cluster)
                .setProcess("p" + number)
                .setInstance(UUID.randomUUID().toString())
                .setAddress("10.0." + number / PORTS + ".1:" + (FIRST_PORT + number % PORTS))
                .setPeerToken(PEER_TOKEN)
                .setVersion("bench")
                .setCapacity(Capacity.newBuilder()
                        .setBytesPerSecond(1_000_000_000)
                        .setOperations(100)
                        .setMemoryTierBytes(1L << 30)
                        .setCpus(8))
                .build();
    }

    /** Another load each time. */
    Load load() {
        long any = System.nanoTime() % 1_000;
        return Load.newBuilder()
                .setBytesPerSecond(any * 1_000)
                .setOperations((int) any / 10)
                .setCpu(any / 1e3)
                .build();
    }
}
