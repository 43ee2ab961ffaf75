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
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The health of a machine whose data planes come and go; {@code MachineIT} has real ones. */
class MachineDataPlanesTest {
    /** A port that answers as a data plane does. */
    private static final class Answers {
        private HttpServer server;
        private volatile boolean draining;
        private volatile int openCalls = 2;

        /** Held by a test that has answers come late. */
        private final Semaphore answering = new Semaphore(1);

        Answers() throws IOException {
            server = listen(0);
        }

        private HttpServer listen(int port) throws IOException {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            http.createContext("/q/health/ready", call -> answer(call, draining ? 503 : 200, "{}"));
            http.createContext("/drain", call -> {
                answering.acquireUninterruptibly();
                answering.release();
                switch (call.getRequestMethod()) {
                    case "PUT" -> draining = true;
                    case "DELETE" -> draining = false;
                    default -> {}
                }
                answer(
                        call,
                        200,
                        "{\"draining\": %b, \"refusing\": %b, \"openCalls\": %d}"
                                .formatted(draining, draining, openCalls));
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
        assertThat(machine.drain(DrainWish.OPERATOR, true)).isEqualTo(new DrainState(true, true, 4, 0));
        assertThat(machine.drain().isOver()).isFalse();

        assertThat(machine.drain(DrainWish.OPERATOR, false)).isEqualTo(new DrainState(false, false, 4, 0));
    }

    @Test
    void aDataPlaneThatIsGoneHasNoCalls() throws Exception {
        second.die();

        assertThat(machine.drain(DrainWish.OPERATOR, true)).isEqualTo(new DrainState(true, true, 2, 0));
    }

    @Test
    void aDataPlaneThatAnswersLateMayHaveCalls() throws Exception {
        first.openCalls = 0;
        second.openCalls = 7;
        second.answering.acquire();

        DrainState late = machine.drain(DrainWish.AZURE, true);
        second.answering.release();

        assertThat(late.isOver()).isFalse();
        assertThat(late.silent()).isOne();
        assertThat(machine.drain().openCalls()).isEqualTo(7);
    }

    @Test
    void aDataPlaneWhoseAnswerCannotBeReadMayHaveCalls() throws Exception {
        second.die();
        second.server = HttpServer.create(second.server.getAddress(), 0);
        second.server.createContext("/", call -> Answers.answer(call, 500, "no JSON"));
        second.server.start();
        first.openCalls = 0;

        assertThat(machine.drain(DrainWish.AZURE, true).isOver()).isFalse();
    }

    @Test
    void nobodyUndoesTheWishOfAnother() throws Exception {
        var _ = machine.drain(DrainWish.OPERATOR, true);
        var _ = machine.drain(DrainWish.AZURE, true);

        assertThat(machine.drain(DrainWish.AZURE, false).draining()).isTrue();
        machine.look();
        assertThat(first.draining).isTrue();

        assertThat(machine.drain(DrainWish.OPERATOR, false).draining()).isFalse();
    }

    @Test
    void oneThatWasStartedAnewDrainsAsTheOthersDo() throws Exception {
        assertThat(machine.drain(DrainWish.OPERATOR, true).draining()).isTrue();
        second.die();
        second.comeBack();

        machine.look();

        assertThat(second.draining).isTrue();
    }
}
