package dev.kvstore.benchmark.peers;

import static dev.kvstore.benchmark.peers.load.PeerOperation.READ;
import static dev.kvstore.benchmark.peers.load.PeerOperation.STREAMING_READ;
import static dev.kvstore.benchmark.peers.load.PeerOperation.WRITE;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.kvstore.benchmark.peers.load.LoadTarget.Protocol;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The measured systems: KV Store, and the systems it is compared with. */
public enum ComparedSystem {
    KVSTORE("KV Store", Protocol.KVSTORE, STREAMING_READ, READ, WRITE),
    /** The same data plane, by the SDK on grpc-java in place of its own HTTP/2. */
    KVSTORE_GRPC_JAVA("KV Store, grpc-java", Protocol.KVSTORE_GRPC_JAVA, STREAMING_READ, READ, WRITE),
    TLS("KV Store, TLS", Protocol.KVSTORE, STREAMING_READ, READ, WRITE),
    TLS_GRPC_JAVA("KV Store, TLS, grpc-java", Protocol.KVSTORE_GRPC_JAVA, STREAMING_READ, READ, WRITE),
    TCP("raw TCP", Protocol.TCP, PeerOperation.STREAM),
    GRPC("stock gRPC", Protocol.GRPC, PeerOperation.UNARY),
    REDIS("Redis", null, PeerOperation.GET, PeerOperation.SET),
    LETTUCE("Redis, Lettuce", Protocol.LETTUCE, PeerOperation.GET),
    NGINX("nginx", null, PeerOperation.SENDFILE, PeerOperation.BUFFERS);

    /** All, but for the SDK's other stack. */
    static final List<ComparedSystem> USUAL = List.of(KVSTORE, TLS, TCP, GRPC, REDIS, LETTUCE, NGINX);

    private final String title;
    private final @Nullable Protocol protocol;
    private final List<PeerOperation> operations;

    ComparedSystem(String title, @Nullable Protocol protocol, PeerOperation... operations) {
        this.title = title;
        this.protocol = protocol;
        this.operations = List.of(operations);
    }

    /** For people. */
    String title() {
        return title;
    }

    /** How a load process of ours asks it; only for those that one asks. */
    Protocol protocol() {
        return Objects.requireNonNull(protocol);
    }

    /** The operations that are measured with it. */
    List<PeerOperation> operations() {
        return operations;
    }

    /** The programs that it needs and that this project does not bring. */
    List<PeerProgram> programs() {
        return switch (this) {
            case REDIS -> List.of(PeerProgram.REDIS_SERVER, PeerProgram.REDIS_BENCHMARK);
            case LETTUCE -> List.of(PeerProgram.REDIS_SERVER);
            case NGINX -> List.of(PeerProgram.NGINX, PeerProgram.WRK);
            default -> List.of();
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
