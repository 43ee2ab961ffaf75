package dev.kvstore.benchmark.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.LaunchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The client processes, as this one sees them. They end with this one. For one thread. */
final class ClientProcesses implements AutoCloseable {
    private static final List<String> JVM =
            List.of("-Xmx512m", "-XX:MaxDirectMemorySize=2g", "-Dslf4j.internal.verbosity=ERROR");

    // Longer than any call may take.
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** One process, and the lines it writes; an empty one says that there will be no more. */
    private record RunningClient(Process process, PrintStream in, BlockingQueue<Optional<String>> lines, Path log) {
        String line(Duration patience) throws InterruptedException {
            Optional<String> line = lines.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new LaunchException("a client process does not answer; its log: " + log);
            }
            return line.orElseThrow(() -> new LaunchException("a client process has ended; its log: " + log));
        }

        Duration cpu() {
            return process.info().totalCpuDuration().orElse(Duration.ZERO);
        }
    }

    private final ObjectMapper json = new ObjectMapper();
    private final List<RunningClient> clients = new ArrayList<>();
    private final int results;

    /**
     * Starts them and waits until they are ready.
     *
     * @param mix what each client does
     * @param logs a folder for their standard errors
     */
    ClientProcesses(ServiceAccess access, Mix mix, SweepStock stock, int processes, int connections, Path logs)
            throws IOException, InterruptedException {
        this.results = mix.results(stock.promptBlocks());
        try {
            Files.createDirectories(logs);
            for (int i = 0; i < processes; i++) {
                RunningClient client = start(logs.resolve("client-" + i + ".log"));
                clients.add(client);
                client.in.println(
                        json.writeValueAsString(new ClientSetup(access, mix, stock, i, processes, connections)));
            }
            await(clients, ClientProcess.READY, PATIENCE);
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static RunningClient start(Path log) throws IOException {
        List<String> command = new ArrayList<>(JvmOptions.java(JVM));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ClientProcess.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        // An answer has three lines; a client writes no more before the next order.
        BlockingQueue<Optional<String>> lines = new ArrayBlockingQueue<>(8);
        Thread.ofPlatform().daemon().name("client " + process.pid()).start(() -> read(process, lines));
        return new RunningClient(process, new PrintStream(process.getOutputStream(), true, UTF_8), lines, log);
    }

    private static void read(Process process, BlockingQueue<Optional<String>> lines) {
        try (BufferedReader reader = process.inputReader(UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.put(Optional.of(line));
            }
        } catch (IOException e) {
            // The process was destroyed, which the next line says as well.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        boolean _ = lines.offer(Optional.empty());
    }

    /**
     * Does a step in all processes at a time, or in as many as there are clients.
     *
     * @throws LaunchException if one of them ended, or does not answer
     */
    WindowFigures run(StepOrder order, Moments moments) throws IOException, InterruptedException {
        List<RunningClient> busy = clients.subList(0, Math.min(clients.size(), order.clients()));
        String line = json.writeValueAsString(order);
        busy.forEach(client -> client.in.println(line));
        await(busy, ClientProcess.BEGUN, PATIENCE.plusMillis(order.leadMillis()));
        moments.begun();
        double cpu = cpuSeconds();
        await(busy, ClientProcess.ENDED, PATIENCE.plusMillis(order.windowMillis()));
        cpu = cpuSeconds() - cpu;
        moments.ended();
        List<StepResult> answers = new ArrayList<>();
        for (RunningClient client : busy) {
            answers.add(json.readValue(client.line(PATIENCE), StepResult.class));
        }
        return WindowFigures.of(answers, results, cpu);
    }

    private static void await(List<RunningClient> all, String expected, Duration patience) throws InterruptedException {
        for (RunningClient client : all) {
            String line = client.line(patience);
            if (!Objects.equals(line, expected)) {
                throw new LaunchException("a client process said \"" + line + "\" instead of \"" + expected
                        + "\"; its log: " + client.log);
            }
        }
    }

    private double cpuSeconds() {
        return clients.stream()
                        .map(RunningClient::cpu)
                        .reduce(Duration.ZERO, Duration::plus)
                        .toNanos()
                / 1e9;
    }

    @Override
    public void close() {
        clients.forEach(client -> client.process.destroyForcibly());
        clients.forEach(client -> client.process.onExit().join());
    }
}
