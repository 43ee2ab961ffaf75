package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.Plain;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag that asks for JSON. */
final class Output {
    private static final String STANDARD = "-";

    @Option(
            names = "--json",
            paramLabel = "FILE",
            arity = "0..1",
            fallbackValue = STANDARD,
            description = "Write JSON to this file, as other verbs do; without FILE, as the last word, print it instead"
                    + " of a table.")
    private @Nullable String json;

    /**
     * The file for JSON. Must be called before anything is done.
     *
     * @throws IllegalArgumentException if the file cannot be written
     */
    ReportFile file() {
        return ReportFile.of(json == null || json.equals(STANDARD) ? null : Path.of(json));
    }

    /** Prints the answer as text, and writes it as JSON if the flag asks for that. */
    void show(PrintWriter out, ReportFile file, JsonNode answer, String text) {
        String pretty = pretty(answer);
        file.write(pretty);
        out.print(STANDARD.equals(json) ? Plain.json(pretty) + "\n" : Plain.lines(text));
        out.flush();
    }

    private static String pretty(JsonNode answer) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was JSON is JSON", e);
        }
    }
}
