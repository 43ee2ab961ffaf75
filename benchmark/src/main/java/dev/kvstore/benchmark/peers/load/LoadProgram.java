package dev.kvstore.benchmark.peers.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The program of a load process. Standard input: a {@link Target}, then {@link Order}s, a line of JSON each. Standard output:
 * an {@link Order.Answer} for each, and one without anything as soon as it is ready. It ends with its input.
 */
public final class LoadProgram {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LoadProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream answers = System.out;
        // Nothing that a library prints is an answer.
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        Target target = JSON.readValue(orders.readLine(), Target.class);
        try (Load load = load(target)) {
            answer(answers, new Order.Answer(null, null));
            Clients clients = new Clients(load, target.pid());
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                answer(answers, carryOut(JSON.readValue(line, Order.class), load, clients));
            }
        }
        // Threads of libraries do not keep it.
        System.exit(0);
    }

    private static Load load(Target target) {
        return switch (target.protocol()) {
            case KVSTORE -> new KvStoreLoad(target);
            case TCP -> new TcpLoad(target);
            case GRPC -> new GrpcLoad(target);
            case LETTUCE -> new LettuceLoad(target.workingSet(), target.port());
        };
    }

    private static Order.Answer carryOut(Order order, Load load, Clients clients) throws InterruptedException {
        try {
            return new Order.Answer(measurement(order, load, clients), null);
        } catch (ExecutionException e) {
            return new Order.Answer(null, reason(e.getCause()));
        } catch (IOException | RuntimeException e) {
            return new Order.Answer(null, reason(e));
        }
    }

    private static String reason(@Nullable Throwable failure) {
        return failure instanceof FlawException flaw ? String.valueOf(flaw.getMessage()) : String.valueOf(failure);
    }

    private static @Nullable Measurement measurement(Order order, Load load, Clients clients)
            throws IOException, InterruptedException, ExecutionException {
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

    private static void answer(PrintStream answers, Order.Answer answer) throws IOException {
        answers.println(JSON.writeValueAsString(answer));
        answers.flush();
    }
}
