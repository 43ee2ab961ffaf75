package dev.kvstore.launcher.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.Period;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv node drain}: sends the calls of this machine elsewhere, and waits until the last has ended. */
@Command(
        name = "drain",
        description =
                "Drains all data planes of this machine, which kv node up --health-port runs, and waits until they have"
                        + " no calls. Exit code 1 if they still have some when the time is up.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class DrainCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int MOST_BYTES = 64 * 1024;
    private static final int OK = 200;

    @Option(
            names = "--health-port",
            paramLabel = "P",
            defaultValue = "9084",
            description = "The port that kv node up was given. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = Period.class,
            description = "The longest time to wait, 0s for none. Default: ${DEFAULT-VALUE}.")
    private long waitSeconds;

    @Option(names = "--undo", description = "Have them take calls again.")
    private boolean undo;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Duration patience = Duration.ofSeconds(waitSeconds);
        PrintWriter out = spec.commandLine().getOut();
        long last = System.nanoTime() + patience.toNanos();
        DrainState state = ask(undo ? "DELETE" : "PUT");
        if (undo) {
            out.println(state.draining() ? "stays drained: Azure announced an event" : "not drained any more");
            return state.draining() ? 1 : 0;
        }
        while (!state.isOver() && System.nanoTime() < last) {
            Thread.sleep(LOOK);
            state = ask("GET");
        }
        if (state.isOver()) {
            out.println("drained: no calls are left");
            return 0;
        }
        String silent = state.silent() == 0 ? "" : ", and data planes that do not answer: " + state.silent();
        out.printf("draining: %d calls are left after %d s%s%n", state.openCalls(), patience.toSeconds(), silent);
        return patience.isZero() ? 0 : 1;
    }

    private DrainState ask(String method) throws InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build();
        try {
            HttpResponse<InputStream> response = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/drain"))
                            .method(method, BodyPublishers.noBody())
                            .timeout(ANSWER)
                            .build(),
                    BodyHandlers.ofInputStream());
            if (response.statusCode() != OK) {
                throw new LaunchException("--health-port: port " + port + " is not that of kv node up: it answers "
                        + response.statusCode());
            }
            JsonNode state = new ObjectMapper().readTree(response.body().readNBytes(MOST_BYTES));
            return DrainState.of(state);
        } catch (IOException e) {
            throw new LaunchException(
                    "--health-port: nothing answers on port " + port
                            + " of this machine; kv node up needs the same --health-port",
                    e);
        } finally {
            client.shutdownNow(); // closing would wait for a body that is not read
        }
    }
}
