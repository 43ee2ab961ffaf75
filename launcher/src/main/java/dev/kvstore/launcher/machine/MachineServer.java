package dev.kvstore.launcher.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One HTTP address for a machine: {@code /q/health/ready} is up while all its data planes take calls, {@code
 * /q/health/live} is up while this process runs, and {@code /drain} drains all data planes ({@code PUT}) or takes that
 * back ({@code DELETE}), for callers of this machine alone. A page in a browser of this machine cannot drain: forms
 * have neither method, and calls that name a page or a proxy are refused. Thread-safe.
 */
public final class MachineServer implements AutoCloseable {
    /** The most connections that wait to be accepted. */
    private static final int BACKLOG = 64;

    static {
        // Probes and one admin connect: the JDK's server has limits only by properties.
        System.setProperty("jdk.httpserver.maxConnections", "200");
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "10");
    }

    /** Headers of a browser's page, which anybody may have written, and of a proxy, whose caller may be anywhere. */
    private static final List<String> FOREIGN =
            List.of("Origin", "Sec-Fetch-Site", "Forwarded", "X-Forwarded-For", "Via");

    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NO_SUCH_METHOD = 405;
    private static final int UNAVAILABLE = 503;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final MachineDataPlanes machine;

    private MachineServer(HttpServer server, MachineDataPlanes machine) {
        this.server = server;
        this.machine = machine;
    }

    /**
     * Starts the server.
     *
     * @throws LaunchException if the server cannot listen at the address
     */
    public static MachineServer start(InetSocketAddress address, MachineDataPlanes machine) {
        HttpServer http;
        try {
            http = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new LaunchException(
                    "--health-port: cannot listen on " + address.getHostString() + ":" + address.getPort() + ": "
                            + e.getMessage(),
                    e);
        }
        MachineServer server = new MachineServer(http, machine);
        http.createContext("/q/health/ready", server::ready);
        http.createContext("/q/health/live", call -> answer(call, OK, status(true)));
        http.createContext("/drain", server::drain);
        http.setExecutor(server.executor);
        http.start();
        return server;
    }

    private static ObjectNode status(boolean up) {
        ObjectNode status = JSON.createObjectNode();
        return status.put("status", up ? "UP" : "DOWN");
    }

    private void ready(HttpExchange call) throws IOException {
        MachineDataPlanes.MachineHealth health = machine.health();
        ObjectNode body = status(health.ready());
        ArrayNode checks = body.putArray("checks");
        for (MachineDataPlanes.ProcessHealth part : health.parts()) {
            ObjectNode check = checks.addObject().put("name", part.name()).put("status", part.up() ? "UP" : "DOWN");
            part.drain()
                    .filter(DrainState::draining)
                    .ifPresent(state ->
                            check.putObject("data").put("draining", true).put("openCalls", state.openCalls()));
        }
        answer(call, health.ready() ? OK : UNAVAILABLE, body);
    }

    private void drain(HttpExchange call) throws IOException {
        try {
            DrainState state;
            switch (call.getRequestMethod()) {
                case "GET" -> state = machine.drain();
                case "PUT", "DELETE" -> {
                    if (!isOfThisMachine(call)) {
                        answer(
                                call,
                                FORBIDDEN,
                                JSON.createObjectNode().put("error", "a machine is drained from itself alone"));
                        return;
                    }
                    state = machine.drain(
                            DrainWish.OPERATOR, !call.getRequestMethod().equals("DELETE"));
                }
                default -> {
                    call.getResponseHeaders().set("Allow", "GET, PUT, DELETE");
                    answer(call, NO_SUCH_METHOD, JSON.createObjectNode().put("error", "GET, PUT or DELETE"));
                    return;
                }
            }
            answer(call, OK, state.json());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isOfThisMachine(HttpExchange call) {
        return call.getRemoteAddress().getAddress().isLoopbackAddress()
                && FOREIGN.stream().noneMatch(call.getRequestHeaders()::containsKey);
    }

    private static void answer(HttpExchange call, int code, ObjectNode body) throws IOException {
        byte[] bytes = (JSON.writeValueAsString(body) + "\n").getBytes(UTF_8);
        call.getResponseHeaders().set("Content-Type", "application/json");
        try (call) {
            call.sendResponseHeaders(code, bytes.length);
            call.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
