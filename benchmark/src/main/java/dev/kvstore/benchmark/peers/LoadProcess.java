package dev.kvstore.benchmark.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.LoadOrder;
import dev.kvstore.benchmark.peers.load.LoadProgram;
import dev.kvstore.benchmark.peers.load.LoadTarget;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.LaunchException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that asks a server, so that what asking costs is told apart: the other end of {@link LoadProgram}. For one
 * thread.
 */
final class LoadProcess implements StartedParts.StartedPart {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ANSWERS = 16;
    private static final int GRACE_SECONDS = 10;

    /** The same for every peer; each takes its own part of it. */
    static final List<String> JVM = List.of("-Xmx2g", "-XX:MaxDirectMemorySize=2g", "-Dslf4j.internal.verbosity=ERROR");

    private final String name;
    private final Path log;
    private final Process process;
    private final Writer orders;
    private final BlockingQueue<Optional<String>> answers = new ArrayBlockingQueue<>(ANSWERS);

    private LoadProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        Thread.ofVirtual().name(name + " answers").start(this::listen);
    }

    /** A command line of this project's own Java. */
    static List<String> java(Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>(JvmOptions.java(JVM));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        return List.copyOf(command);
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param log takes its error output
     */
    static LoadProcess start(String name, LoadTarget target, Path log) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(java(LoadProgram.class, List.of()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        LoadProcess load = new LoadProcess(name, log, process);
        try {
            var _ = load.ask(target);
            return load;
        } catch (IOException | InterruptedException | RuntimeException e) {
            load.close();
            throw e;
        }
    }

    void stock() throws IOException, InterruptedException {
        var _ = ask(LoadOrder.stock());
    }

    void verify(PeerOperation operation) throws IOException, InterruptedException {
        var _ = ask(LoadOrder.verify(operation));
    }

    LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException {
        LoadOrder order = new LoadOrder(LoadOrder.OrderKind.RUN, operation, clients, lead.toMillis(), time.toMillis());
        return Objects.requireNonNull(ask(order));
    }

    private @Nullable LoadMeasurement ask(Object question) throws IOException, InterruptedException {
        try {
            orders.write(JSON.writeValueAsString(question) + "\n");
            orders.flush();
        } catch (IOException e) {
            throw ended();
        }
        Optional<String> line = answers.take();
        if (line.isEmpty()) {
            throw ended();
        }
        LoadOrder.OrderResult answer = JSON.readValue(line.get(), LoadOrder.OrderResult.class);
        if (answer.flaw() != null) {
            throw new BadBlockException(answer.flaw());
        }
        return answer.measurement();
    }

    private LaunchException ended() throws InterruptedException {
        var _ = process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
        return new LaunchException("the process that asks " + name + " has ended; its log is " + log);
    }

    private void listen() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.put(Optional.of(line));
            }
        } catch (IOException e) {
            // It is gone, as its end says.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        var _ = answers.offer(Optional.empty());
    }

    /** Has it end with its input, and kills it if it does not. */
    @Override
    public void close() {
        try {
            orders.close();
        } catch (IOException e) {
            // It is gone.
        }
        process.onExit()
                .copy()
                .completeOnTimeout(process, GRACE_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
        process.onExit().join();
    }
}
