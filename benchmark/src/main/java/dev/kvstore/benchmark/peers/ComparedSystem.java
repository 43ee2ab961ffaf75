package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.kvstore.benchmark.peers.load.LoadTarget.Protocol;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The measured systems: KV Store, and the systems it is compared with. */
public enum ComparedSystem {
    KVSTORE("KV Store", Protocol.KVSTORE),
    /** The same data plane, by the SDK on grpc-java in place of its own HTTP/2. */
    KVSTORE_GRPC_JAVA("KV Store, grpc-java", Protocol.KVSTORE_GRPC_JAVA),
    TLS("KV Store, TLS", Protocol.KVSTORE),
    TLS_GRPC_JAVA("KV Store, TLS, grpc-java", Protocol.KVSTORE_GRPC_JAVA),
    TCP("raw TCP", Protocol.TCP),
    GRPC("stock gRPC", Protocol.GRPC),
    REDIS("Redis", null),
    LETTUCE("Redis, Lettuce", Protocol.LETTUCE),
    NGINX("nginx", null);

    /** All, but for the SDK's other stack. */
    static final List<ComparedSystem> USUAL = List.of(KVSTORE, TLS, TCP, GRPC, REDIS, LETTUCE, NGINX);

    private final String title;
    private final @Nullable Protocol protocol;

    ComparedSystem(String title, @Nullable Protocol protocol) {
        this.title = title;
        this.protocol = protocol;
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
        return switch (this) {
            case TCP -> List.of(PeerOperation.STREAM);
            case GRPC -> List.of(PeerOperation.UNARY);
            case REDIS -> List.of(PeerOperation.GET, PeerOperation.SET);
            case LETTUCE -> List.of(PeerOperation.GET);
            case NGINX -> List.of(PeerOperation.SENDFILE, PeerOperation.BUFFERS);
            default -> List.of(PeerOperation.STREAMING_READ, PeerOperation.READ, PeerOperation.WRITE);
        };
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

    /** The system's name on the command line and in the JSON. */
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
