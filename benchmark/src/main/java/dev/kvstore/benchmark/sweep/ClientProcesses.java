package dev.kvstore.benchmark.sweep;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.benchmark.process.JsonProcess;
import dev.kvstore.benchmark.sweep.step.SweepFlags;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import dev.kvstore.benchmark.sweep.step.WindowFigures;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The client processes, as this one sees them. They end with this one. For one thread. */
final class ClientProcesses implements AutoCloseable {
    private static final List<String> JVM =
            List.of("-Xmx512m", "-XX:MaxDirectMemorySize=2g", "-Dslf4j.internal.verbosity=ERROR");

    private final ObjectMapper json = new ObjectMapper();
    private final SweptService service;
    private final List<JsonProcess> processes = new ArrayList<>();

    /**
     * Starts them and waits until they are ready.
     *
     * @param logs a folder for their standard errors
     */
    ClientProcesses(SweptService service, SweepFlags flags, StoredPrompts stock, Path logs)
            throws IOException, InterruptedException {
        this.service = service;
        List<String> command = new ArrayList<>(JvmOptions.java(JVM));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ClientProcess.class.getName()));
        try {
            Files.createDirectories(logs);
            for (int i = 0; i < flags.processes; i++) {
                String name = "client-" + i;
                JsonProcess process = JsonProcess.start(name, new ProcessBuilder(command), logs.resolve(name + ".log"));
                processes.add(process);
                process.tell(new ClientProcess.ClientSetup(
                        service.access(), flags.mix, stock, i, flags.processes, flags.connections));
            }
            hear(processes, ClientProcess.READY);
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Does a step in all processes at a time, or in as many as there are clients.
     *
     * @throws LaunchException if one of them ended
     */
    SweepStep.StepRound run(ClientProcess.StepOrder order) throws IOException, InterruptedException {
        List<JsonProcess> busy =
                processes.subList(0, Math.min(processes.size(), order.plan().clients()));
        for (JsonProcess process : busy) {
            process.tell(order);
        }
        hear(busy, ClientProcess.BEGUN);
        DataPlaneUse before = service.used();
        Duration cpu = cpu();
        hear(busy, ClientProcess.ENDED);
        cpu = cpu().minus(cpu);
        DataPlaneUse after = service.used();
        List<WindowFigures> answers = new ArrayList<>();
        for (JsonProcess process : busy) {
            answers.add(json.readValue(process.hear(), WindowFigures.class));
        }
        // The windows of all processes agree except for a few milliseconds.
        double seconds =
                answers.stream().mapToDouble(WindowFigures::seconds).max().orElseThrow();
        return new SweepStep.StepRound(
                WindowFigures.together(answers, seconds),
                cpu.toNanos() / 1e9,
                before == null || after == null ? null : after.since(before));
    }

    private static void hear(List<JsonProcess> all, String expected) throws InterruptedException {
        for (JsonProcess process : all) {
            String line = process.hear();
            if (!line.equals(expected)) {
                throw new LaunchException("a client process said \"" + line + "\" instead of \"" + expected + "\"");
            }
        }
    }

    private Duration cpu() {
        return processes.stream().map(JsonProcess::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        processes.forEach(JsonProcess::kill);
        processes.forEach(JsonProcess::close);
    }
}
