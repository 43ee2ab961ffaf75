package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import java.util.List;
import java.util.Locale;

/** The measured systems: KV Store, and the systems it is compared with. */
public enum ComparedSystem {
    KVSTORE("KV Store"),
    /** The same data plane, by the SDK on grpc-java in place of its own HTTP/2. */
    KVSTORE_GRPC_JAVA("KV Store, grpc-java"),
    TLS("KV Store, TLS"),
    TLS_GRPC_JAVA("KV Store, TLS, grpc-java"),
    TCP("raw TCP"),
    GRPC("stock gRPC"),
    REDIS("Redis"),
    LETTUCE("Redis, Lettuce"),
    NGINX("nginx");

    /** All, but for the SDK's other stack. */
    static final List<ComparedSystem> USUAL = List.of(KVSTORE, TLS, TCP, GRPC, REDIS, LETTUCE, NGINX);

    private final String title;

    ComparedSystem(String title) {
        this.title = title;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** The operations that are measured with it. */
    List<PeerOperation> operations() {
        return switch (this) {
            case KVSTORE, KVSTORE_GRPC_JAVA, TLS, TLS_GRPC_JAVA ->
                List.of(PeerOperation.STREAMING_READ, PeerOperation.READ, PeerOperation.WRITE);
            case TCP -> List.of(PeerOperation.STREAM);
            case GRPC -> List.of(PeerOperation.UNARY);
            case REDIS -> List.of(PeerOperation.GET, PeerOperation.SET);
            case LETTUCE -> List.of(PeerOperation.GET);
            case NGINX -> List.of(PeerOperation.SENDFILE, PeerOperation.BUFFERS);
        };
    }

    /** The programs that it needs and that this project does not bring. */
    List<PeerProgram> programs() {
        return switch (this) {
            case KVSTORE, KVSTORE_GRPC_JAVA, TLS, TLS_GRPC_JAVA, TCP, GRPC -> List.of();
            case REDIS -> List.of(PeerProgram.REDIS_SERVER, PeerProgram.REDIS_BENCHMARK);
            case LETTUCE -> List.of(PeerProgram.REDIS_SERVER);
            case NGINX -> List.of(PeerProgram.NGINX, PeerProgram.WRK);
        };
    }

    /** As on the command line and in the JSON. */
    @JsonValue
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The server that answers: some are asked in two ways. */
    ComparedSystem server() {
        return switch (this) {
            case KVSTORE_GRPC_JAVA -> KVSTORE;
            case TLS_GRPC_JAVA -> TLS;
            case LETTUCE -> REDIS;
            default -> this;
        };
    }
}
