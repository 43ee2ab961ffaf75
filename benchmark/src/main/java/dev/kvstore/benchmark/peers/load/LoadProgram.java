package dev.kvstore.benchmark.peers.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The program of a load process. Standard input: a {@link LoadTarget}, then {@link LoadOrder}s, a line of JSON each.
 * Standard output: an {@link LoadOrder.OrderResult} for each, and one without anything as soon as it is ready. It ends
 * with its input.
 */
public final class LoadProgram {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LoadProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream answers = System.out;
        // Nothing that a library prints is an answer.
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        LoadTarget target = JSON.readValue(orders.readLine(), LoadTarget.class);
        try (PeerLoad load = load(target)) {
            LoadOrder.OrderResult answer = new LoadOrder.OrderResult(null, null);
            LoadThreads clients = new LoadThreads(load, target.pid());
            for (String line = ""; line != null; line = orders.readLine()) {
                if (!line.isEmpty()) {
                    answer = carryOut(JSON.readValue(line, LoadOrder.class), load, clients);
                }
                answers.println(JSON.writeValueAsString(answer));
                answers.flush();
            }
        }
        // Threads of libraries do not keep it.
        System.exit(0);
    }

    private static PeerLoad load(LoadTarget target) {
        return switch (target.protocol()) {
            case KVSTORE, KVSTORE_GRPC_JAVA -> new KvStoreLoad(target);
            case TCP -> new TcpLoad(target);
            case GRPC -> new GrpcLoad(target);
            case LETTUCE -> new LettuceLoad(target.workingSet(), target.port());
        };
    }

    private static LoadOrder.OrderResult carryOut(LoadOrder order, PeerLoad load, LoadThreads clients)
            throws InterruptedException {
        try {
            return new LoadOrder.OrderResult(measurement(order, load, clients), null);
        } catch (IOException | RuntimeException e) {
            Throwable failure = e.getCause() instanceof BadBlockException flaw ? flaw : e;
            boolean told = failure instanceof IllegalStateException;
            return new LoadOrder.OrderResult(null, told ? failure.getMessage() : failure.toString());
        }
    }

    private static @Nullable LoadMeasurement measurement(LoadOrder order, PeerLoad load, LoadThreads clients)
            throws IOException, InterruptedException {
        switch (order.kind()) {
            case STOCK -> load.stock();
            case VERIFY -> load.verify(order.operation());
            case RUN -> {
                return clients.run(
                        order.operation(),
                        order.clients(),
                        Duration.ofMillis(order.leadMillis()),
                        Duration.ofMillis(order.millis()));
            }
        }
        return null;
    }
}
