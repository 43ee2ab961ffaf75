package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.LoadOrder;
import dev.kvstore.benchmark.peers.load.LoadProgram;
import dev.kvstore.benchmark.peers.load.LoadTarget;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.process.JsonProcess;
import dev.kvstore.launcher.JvmOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A process that asks a server, so that what asking costs is told apart: the other end of {@link LoadProgram}. For one
 * thread.
 */
final class LoadProcess implements StartedParts.StartedPart {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The same for every peer; each takes its own part of it. */
    static final List<String> JVM = List.of("-Xmx2g", "-XX:MaxDirectMemorySize=2g", "-Dslf4j.internal.verbosity=ERROR");

    private final JsonProcess process;

    private LoadProcess(JsonProcess process) {
        this.process = process;
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
        ProcessBuilder builder = new ProcessBuilder(java(LoadProgram.class, List.of()));
        LoadProcess load = new LoadProcess(JsonProcess.start("the process that asks " + name, builder, log));
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
        process.tell(question);
        LoadOrder.OrderResult answer = JSON.readValue(process.hear(), LoadOrder.OrderResult.class);
        if (answer.flaw() != null) {
            throw new BadBlockException(answer.flaw());
        }
        return answer.measurement();
    }

    /** Has it end with its input, and kills it if it does not. */
    @Override
    public void close() {
        process.close();
    }
}
