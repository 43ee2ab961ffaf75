package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.LoadOrder;
import dev.kvstore.benchmark.peers.load.LoadOrder.OrderKind;
import dev.kvstore.benchmark.peers.load.LoadProgram;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.process.JsonProcess;
import dev.kvstore.launcher.JvmOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A peer that a Java process of ours asks, so that what asking costs is told apart: the other end of
 * {@link LoadProgram}. For one thread.
 */
record LoadProcess(JsonProcess process) implements RunningPeer {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The same for every peer; each takes its own part of it. */
    private static final List<String> JVM =
            List.of("-Xmx2g", "-XX:MaxDirectMemorySize=2g", "-Dslf4j.internal.verbosity=ERROR");

    /** A command line of this project's own Java. */
    static List<String> java(Class<?> program, String... arguments) {
        Stream<String> classes = Stream.of("-cp", System.getProperty("java.class.path"), program.getName());
        return Stream.of(JvmOptions.java(JVM).stream(), classes, Stream.of(arguments))
                .flatMap(words -> words)
                .toList();
    }

    /**
     * Starts a process.
     *
     * @param log takes its error output
     */
    static LoadProcess start(String name, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(java(LoadProgram.class));
        return new LoadProcess(JsonProcess.start("the process that asks " + name, builder, log));
    }

    @Override
    public void stock() throws IOException, InterruptedException {
        var _ = ask(new LoadOrder(OrderKind.STOCK, PeerOperation.WRITE));
    }

    @Override
    public void verify(PeerOperation operation) throws IOException, InterruptedException {
        var _ = ask(new LoadOrder(OrderKind.VERIFY, operation));
    }

    @Override
    public LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException {
        return Objects.requireNonNull(
                ask(new LoadOrder(OrderKind.RUN, operation, clients, lead.toMillis(), time.toMillis())));
    }

    /** Gives an order; the first one is the target, which is ready with the answer. */
    @Nullable
    LoadMeasurement ask(Object order) throws IOException, InterruptedException {
        process.tell(order);
        LoadOrder.OrderResult answer = JSON.readValue(process.hear(), LoadOrder.OrderResult.class);
        if (answer.flaw() != null) {
            throw new BadBlockException(answer.flaw());
        }
        return answer.measurement();
    }
}
