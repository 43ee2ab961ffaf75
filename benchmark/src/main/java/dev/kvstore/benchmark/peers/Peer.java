package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.kvstore.benchmark.peers.load.Operation;
import java.util.List;
import java.util.Locale;

/** Who is measured: KV Store, and those it is compared with. */
public enum Peer {
    KVSTORE("KV Store"),
    TLS("KV Store, TLS"),
    TCP("raw TCP"),
    GRPC("stock gRPC"),
    REDIS("Redis"),
    LETTUCE("Redis, Lettuce"),
    NGINX("nginx");

    private final String title;

    Peer(String title) {
        this.title = title;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** In which ways it is asked. */
    List<Operation> operations() {
        return switch (this) {
            case KVSTORE, TLS -> List.of(Operation.STREAMING_READ, Operation.READ, Operation.WRITE);
            case TCP -> List.of(Operation.STREAM);
            case GRPC -> List.of(Operation.UNARY);
            case REDIS -> List.of(Operation.GET, Operation.SET);
            case LETTUCE -> List.of(Operation.GET);
            case NGINX -> List.of(Operation.SENDFILE, Operation.BUFFERS);
        };
    }

    /** What it takes that this project does not bring. */
    List<Program> programs() {
        return switch (this) {
            case KVSTORE, TLS, TCP, GRPC -> List.of();
            case REDIS -> List.of(Program.REDIS_SERVER, Program.REDIS_BENCHMARK);
            case LETTUCE -> List.of(Program.REDIS_SERVER);
            case NGINX -> List.of(Program.NGINX, Program.WRK);
        };
    }

    /** As on the command line and in the JSON. */
    @JsonValue
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
