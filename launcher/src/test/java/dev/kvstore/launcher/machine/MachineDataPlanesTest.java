package dev.kvstore.launcher.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The health of a machine whose data planes come and go; {@code MachineIT} has real ones. */
class MachineDataPlanesTest {
    /** A port that answers as a data plane does. */
    private static final class Answers {
        private HttpServer server;
        private boolean draining;

        Answers() throws IOException {
            server = listen(0);
        }

        private HttpServer listen(int port) throws IOException {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            http.createContext("/q/health/ready", call -> answer(call, draining ? 503 : 200, "{}"));
            http.createContext("/drain", call -> {
                switch (call.getRequestMethod()) {
                    case "PUT" -> draining = true;
                    case "DELETE" -> draining = false;
                    default -> {}
                }
                answer(
                        call,
                        200,
                        "{\"draining\": %b, \"refusing\": %b, \"openCalls\": 2}".formatted(draining, draining));
            });
            http.start();
            return http;
        }

        InetSocketAddress address() {
            return server.getAddress();
        }

        void die() {
            server.stop(0);
        }

        void comeBack() throws IOException {
            draining = false;
            server = listen(server.getAddress().getPort());
        }

        private static void answer(HttpExchange call, int code, String body) throws IOException {
            try (call) {
                byte[] bytes = body.getBytes(UTF_8);
                call.sendResponseHeaders(code, bytes.length);
                call.getResponseBody().write(bytes);
            }
        }
    }

    @SuppressWarnings("NullAway.Init")
    private Answers first;

    @SuppressWarnings("NullAway.Init")
    private Answers second;

    @SuppressWarnings("NullAway.Init")
    private MachineDataPlanes machine;

    private long nanos;

    @BeforeEach
    void start() throws IOException {
        first = new Answers();
        second = new Answers();
        machine = new MachineDataPlanes(List.of(first.address(), second.address()), () -> nanos);
    }

    @AfterEach
    void stop() {
        first.die();
        second.die();
    }

    @Test
    void isIllUntilAllHaveServed() throws Exception {
        second.die();
        machine.look();
        assertThat(machine.health().ready()).isFalse();

        second.comeBack();
        machine.look();

        assertThat(machine.health().ready()).isTrue();
    }

    @Test
    void isIllOnceADataPlaneIsAwayForLongerThanItsStartTakes() throws Exception {
        machine.look();
        second.die();
        machine.look();
        assertThat(machine.health().ready()).isTrue();

        nanos += MachineDataPlanes.RESTART.toNanos();

        assertThat(machine.health().ready()).isFalse();
        assertThat(machine.health().parts())
                .extracting(MachineDataPlanes.ProcessHealth::name, MachineDataPlanes.ProcessHealth::up)
                .containsExactly(tuple("data plane 0", true), tuple("data plane 1", false));
    }

    @Test
    void isNotReadyAtOnceWhereADataPlaneDrains() throws Exception {
        machine.look();
        second.draining = true;

        machine.look();

        assertThat(machine.health().ready()).isFalse();
    }

    @Test
    void drainsAllAndCountsTheirCalls() throws Exception {
        assertThat(machine.drain(true)).isEqualTo(new DrainState(true, true, 4));
        assertThat(machine.drain().isOver()).isFalse();

        assertThat(machine.drain(false)).isEqualTo(new DrainState(false, false, 4));
    }

    @Test
    void aDataPlaneThatIsGoneHasNoCalls() throws Exception {
        second.die();

        assertThat(machine.drain(true)).isEqualTo(new DrainState(true, true, 2));
    }

    @Test
    void oneThatWasStartedAnewDrainsAsTheOthersDo() throws Exception {
        assertThat(machine.drain(true).draining()).isTrue();
        second.die();
        second.comeBack();

        machine.look();

        assertThat(second.draining).isTrue();
    }
}
