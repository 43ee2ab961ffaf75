package dev.kvstore.control.process;

import static io.restassured.RestAssured.given;

import dev.kvstore.control.database.Database;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import dev.kvstore.testing.FreePorts;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A control plane's process. */
final class ControlPlaneInstance implements AutoCloseable {
    private static final String ADMIN_TOKEN = "kva_of-both-of-the-replicas";
    private static final String JOIN_TOKEN = "join-of-the-replicas";

    private final ManagedProcess process;
    private final int port;
    private final ManagedChannel channel;

    private ControlPlaneInstance(ManagedProcess process, int port) {
        this.process = process;
        this.port = port;
        this.channel = ManagedChannelBuilder.forAddress("127.0.0.1", port + 1)
                .usePlaintext()
                .build();
    }

    static ControlPlaneInstance start(Database database, Path log) throws InterruptedException {
        return start(
                database.url(),
                Map.of(
                        "KVSTORE_ADMIN_TOKEN", ADMIN_TOKEN,
                        "KVSTORE_JOIN_TOKEN", JOIN_TOKEN,
                        "KVSTORE_DB_USER", database.user()),
                log);
    }

    /** One with an environment of its own, which may hold other tokens than those of its calls. */
    static ControlPlaneInstance start(String jdbcUrl, Map<String, String> environment, Path log, String... flags)
            throws InterruptedException {
        int port = FreePorts.row(2);
        ControlPlaneInstance replica = new ControlPlaneInstance(process(port, jdbcUrl, environment, log, flags), port);
        var _ = replica.process.awaitReady(
                Readiness.http(URI.create("http://127.0.0.1:" + port + "/q/health/ready")), Duration.ofMinutes(3));
        return replica;
    }

    /** A process, which may end before it is ready. */
    static ManagedProcess process(
            int port, String jdbcUrl, Map<String, String> environment, Path log, String... flags) {
        Program program = Program.CONTROL_PLANE;
        List<String> command = new ArrayList<>(program.command(program.jar(Home.current()), List.of("-Xmx256m")));
        command.addAll(List.of(
                "--http-port", "" + port, "--port", "" + (port + 1), "--jdbc-url", jdbcUrl, "--end-with-parent"));
        command.addAll(List.of(flags));
        return ManagedProcess.start("control-plane", command, environment, log);
    }

    /** Calls of an admin. */
    RequestSpecification admin() {
        return with(ADMIN_TOKEN);
    }

    /** Calls with a token. */
    RequestSpecification with(String token) {
        return given().baseUri("http://127.0.0.1:" + port)
                .header("Authorization", "Bearer " + token)
                .contentType(ContentType.JSON);
    }

    /** Calls of a data plane. */
    AccountServiceGrpc.AccountServiceBlockingStub calls() {
        return calls(JOIN_TOKEN);
    }

    /** Calls of a data plane with a token. */
    AccountServiceGrpc.AccountServiceBlockingStub calls(String token) {
        return AccountServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(token))
                .withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    /** Calls of a member of the fleet. */
    MembershipServiceGrpc.MembershipServiceBlockingStub membership() {
        return MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(JOIN_TOKEN))
                .withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    /** Calls of a client. */
    RouteServiceGrpc.RouteServiceBlockingStub routes(String key) {
        return RouteServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(key))
                .withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private static ClientInterceptor bearer(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    /** Whether it says that it is ready. */
    boolean isReady() {
        return given().baseUri("http://127.0.0.1:" + port)
                        .get("/q/health/ready")
                        .statusCode()
                == 200;
    }

    /** Stops it where it is, its connections open. */
    void freeze() throws InterruptedException {
        process.freeze();
    }

    /** Has it go on. */
    void thaw() throws InterruptedException {
        process.thaw();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        process.close();
    }
}
