package dev.kvstore.benchmark.python;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.process.JsonProcess;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A program in Python, whose answers are objects. For one thread. */
public record PythonProcess(String name, JsonProcess process) implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Starts it.
     *
     * @param name its name in messages
     * @param module of the client's {@code bench} folder
     * @param variables added to the environment; secrets go here, where other users do not see them
     * @param log takes its error output; its folder is made
     */
    public static PythonProcess start(
            String name, PythonEnvironment python, String module, Map<String, String> variables, Path log)
            throws IOException {
        Files.createDirectories(log.toAbsolutePath().getParent());
        ProcessBuilder builder = new ProcessBuilder(python.command(module));
        builder.environment().putAll(python.variables());
        builder.environment().putAll(variables);
        return new PythonProcess(name, JsonProcess.start(name, builder, log));
    }

    /**
     * Gives an order and waits for one answer.
     *
     * @throws LaunchException if the answer tells of an error, or the process has ended
     */
    public JsonNode ask(Object order) throws IOException, InterruptedException {
        tell(order);
        return hear();
    }

    /**
     * Gives an order.
     *
     * @throws LaunchException if the process has ended
     */
    public void tell(Object order) throws IOException, InterruptedException {
        process.tell(order);
    }

    /**
     * Waits for the next answer.
     *
     * @throws LaunchException if it tells of an error, or the process has ended
     */
    public JsonNode hear() throws IOException, InterruptedException {
        JsonNode answer = JSON.readTree(process.hear());
        if (answer.has("failure")) {
            throw new LaunchException(name + ": " + answer.get("failure").asText());
        }
        return answer;
    }

    /** Has it end with its input, and kills it if it does not within 10 s. */
    @Override
    public void close() {
        process.close();
    }
}
