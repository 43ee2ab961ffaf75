package dev.kvstore.control.membership;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.kvstore.admin.name.Name;
import dev.kvstore.clusters.address.Address;
import dev.kvstore.clusters.fleet.ReportBounds;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.clusters.lease.Registration;
import dev.kvstore.clusters.member.Beat;
import dev.kvstore.clusters.member.Corrections;
import dev.kvstore.clusters.process.ProcessName;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks messages of data planes: refuses malformed fields, and corrects implausible figures. Stateless. */
final class Messages {
    private static final Pattern NAME = Pattern.compile(Name.SHAPE);
    private static final Pattern PROCESS = Pattern.compile(ProcessName.SHAPE);
    private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9-]{16,64}");
    private static final Pattern TOKEN = Pattern.compile("[!-~]{32,128}");
    private static final Pattern PROGRAM = Pattern.compile("[ -~]{0,100}");
    private static final Pattern UUIDS = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int MOST_NODES = 1024;
    private static final long FIRST_SECOND =
            Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T00:00:00Z").getEpochSecond();
    private static final long A_YEAR = java.time.Duration.ofDays(365).toSeconds();

    private Messages() {}

    /**
     * A registration.
     *
     * @throws StatusRuntimeException if a field breaks its rule
     */
    static Registration registration(RegisterRequest request, Corrections corrections) {
        require(NAME, request.getCluster(), "cluster", "must be the name of a cluster");
        require(PROCESS, request.getProcess(), "process", ProcessName.FLAW);
        require(INSTANCE, request.getInstance(), "instance", "must be 16 to 64 letters, digits and '-'");
        String remote = request.getRemoteAddress().isEmpty() ? request.getAddress() : request.getRemoteAddress();
        require(Address.isOne(request.getAddress()), "address", Address.SHAPE);
        require(Address.isOne(remote), "remote_address", Address.SHAPE);
        require(TOKEN, request.getPeerToken(), "peer_token", "must be 32 to 128 visible ASCII characters");
        require(PROGRAM, request.getVersion(), "version", "must be at most 100 ASCII characters");
        int node = request.getNumaNode();
        require(node >= 0 && node < MOST_NODES, "numa_node", "must be 0 to " + (MOST_NODES - 1));
        return new Registration(
                request.getCluster(),
                request.getProcess(),
                request.getInstance(),
                request.getAddress(),
                remote,
                request.hasNumaNode() ? node : null,
                capacity(request.getCapacity(), corrections),
                request.getPeerToken(),
                request.getVersion());
    }

    /**
     * A heartbeat.
     *
     * @param scope the processes that the caller may speak for
     * @throws StatusRuntimeException if a field breaks its rule
     */
    static Beat beat(HeartbeatRequest request, ProcessScope scope, Corrections corrections) {
        return new Beat(
                lease(request.getLease()),
                scope,
                load(request.getLoad(), corrections),
                request.hasCapacity() ? capacity(request.getCapacity(), corrections) : null,
                request.getDraining());
    }

    /**
     * The id of a lease.
     *
     * @throws StatusRuntimeException if no lease can have this id
     */
    static UUID lease(String text) {
        require(UUIDS, text, "lease", "must be the one that Register answered with");
        return UUID.fromString(text);
    }

    /** A time, or the nearest one whose year has four digits. */
    static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(Math.clamp(time.getSeconds(), FIRST_SECOND, LAST_SECOND), time.getNanos());
    }

    private static dev.kvstore.clusters.fleet.Capacity capacity(Capacity said, Corrections corrections) {
        long bytes = corrections.upTo(
                "capacity.bytes_per_second",
                said.getBytesPerSecond(),
                ReportBounds.BYTES_PER_SECOND,
                ReportBounds.USUAL_BYTES_PER_SECOND);
        return new dev.kvstore.clusters.fleet.Capacity(
                bytes == 0 ? ReportBounds.USUAL_BYTES_PER_SECOND : bytes,
                corrections.oneTo(
                        "capacity.operations",
                        said.getOperations(),
                        ReportBounds.OPERATIONS,
                        ReportBounds.USUAL_OPERATIONS),
                corrections.upTo("capacity.memory_tier_bytes", said.getMemoryTierBytes(), ReportBounds.TIER_BYTES, 0),
                corrections.upTo("capacity.disk_tier_bytes", said.getDiskTierBytes(), ReportBounds.TIER_BYTES, 0),
                corrections.oneTo("capacity.cpus", said.getCpus(), ReportBounds.CPUS, ReportBounds.USUAL_CPUS));
    }

    private static dev.kvstore.clusters.fleet.Load load(Load said, Corrections corrections) {
        return new dev.kvstore.clusters.fleet.Load(
                corrections.upTo(
                        "load.bytes_per_second",
                        said.getBytesPerSecond(),
                        ReportBounds.BYTES_PER_SECOND,
                        ReportBounds.BYTES_PER_SECOND),
                corrections.upTo(
                        "load.operations", said.getOperations(), ReportBounds.OPERATIONS, ReportBounds.OPERATIONS),
                corrections.upTo("load.streams", said.getStreams(), ReportBounds.STREAMS, ReportBounds.STREAMS),
                corrections.within("load.cpu", said.getCpu(), 1),
                corrections.within("load.memory", said.getMemory(), 1),
                corrections.within("load.memory_tier", said.getMemoryTier(), 1),
                corrections.within("load.disk_tier", said.getDiskTier(), 1),
                said.hasLatencyP50() ? latency("load.latency_p50", said.getLatencyP50(), corrections) : null,
                said.hasLatencyP99() ? latency("load.latency_p99", said.getLatencyP99(), corrections) : null,
                corrections.within(
                        "load.rejected_per_second", said.getRejectedPerSecond(), ReportBounds.REJECTED_PER_SECOND));
    }

    private static java.time.@Nullable Duration latency(String field, Duration said, Corrections corrections) {
        return corrections.within(
                field,
                java.time.Duration.ofSeconds(Math.clamp(said.getSeconds(), -A_YEAR, A_YEAR), said.getNanos()),
                ReportBounds.LATENCY);
    }

    private static void require(Pattern shape, String text, String field, String flaw) {
        require(shape.matcher(text).matches(), field, flaw);
    }

    private static void require(boolean holds, String field, String flaw) {
        if (!holds) {
            throw Invalid.field(field, flaw);
        }
    }
}
