package dev.kvstore.benchmark.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.CpuClock;
import dev.kvstore.launcher.LaunchException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that takes orders as lines of JSON on its standard input, and answers in lines on its standard output. It
 * ends with its input. For one thread.
 */
public final class JsonProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    // A process with more answers than this waits until some are heard.
    private static final int ANSWERS = 64;
    private static final int GRACE_SECONDS = 10;

    private final String name;
    private final Path log;
    private final Process process;
    private final Writer orders;
    private final BlockingQueue<Optional<String>> answers = new ArrayBlockingQueue<>(ANSWERS);

    private JsonProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        Thread.ofVirtual().name(name + " answers").start(this::listen);
    }

    /**
     * Starts it.
     *
     * @param name its name in messages
     * @param log takes its error output
     */
    public static JsonProcess start(String name, ProcessBuilder builder, Path log) throws IOException {
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return new JsonProcess(name, log, builder.start());
    }

    /**
     * Gives an order.
     *
     * @throws LaunchException if the process has ended
     */
    public void tell(Object order) throws IOException, InterruptedException {
        String line = JSON.writeValueAsString(order) + "\n";
        try {
            orders.write(line);
            orders.flush();
        } catch (IOException e) {
            throw ended();
        }
    }

    /**
     * Waits for the next answer.
     *
     * @throws LaunchException if the process has ended
     */
    public String hear() throws InterruptedException {
        Optional<String> line = answers.take();
        if (line.isEmpty()) {
            throw ended();
        }
        return line.get();
    }

    /** Processor time it has used so far. */
    public Duration cpu() {
        return CpuClock.of(process.toHandle());
    }

    /** Kills it, whatever it does. */
    public void kill() {
        process.destroyForcibly();
    }

    private LaunchException ended() throws InterruptedException {
        boolean over = process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
        String how = over ? "ended with exit code " + process.exitValue() : "closed its output";
        return new LaunchException(name + " " + how + "; its log is " + log);
    }

    private void listen() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.put(Optional.of(line));
            }
            answers.put(Optional.empty());
        } catch (IOException e) {
            var _ = answers.offer(Optional.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has it end with its input, and kills it and its children if it does not within 10 s. */
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
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }
}
