package dev.kvstore.benchmark.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.PrivateFile;
import dev.kvstore.launcher.WritablePath;
import java.io.IOException;
import java.nio.file.Path;

/** The folder that {@code --report} names: a run as Markdown, JSON and HTML. Another process may write it too. */
public final class ReportFolder {
    static final String MARKDOWN = "report.md";
    static final String JSON = "report.json";
    static final String HTML = "report.html";

    private static final String FLAG = "--report";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path folder;

    private ReportFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Asked for before anything is started.
     *
     * @throws IllegalArgumentException if the reports cannot be written; nothing is changed then
     */
    public static ReportFolder of(Path folder) {
        WritablePath.requireFolder(FLAG, folder);
        for (String name : new String[] {MARKDOWN, JSON, HTML}) {
            WritablePath.requireFile(FLAG, folder.resolve(name));
        }
        return new ReportFolder(folder);
    }

    /**
     * Writes each of the three whole or not at all, over what an earlier run left there; the folder is made when
     * missing.
     *
     * @param holds whether what the command promises held, and it was not interrupted
     * @param figures the report's record, as {@code --json} has it
     * @throws LaunchException if that fails
     */
    public void write(ReportPage page, boolean holds, Object figures, RunEnvironment environment) {
        EndedRun run = new EndedRun(page, holds, environment, MAPPER.valueToTree(figures));
        try {
            PrivateFile.write(folder.resolve(JSON), json(run));
            PrivateFile.write(folder.resolve(MARKDOWN), Markdown.of(run));
            PrivateFile.write(folder.resolve(HTML), Html.of(run));
        } catch (IOException e) {
            throw new LaunchException(FLAG + ": " + folder + " cannot be written: " + IoReason.of(e), e);
        }
    }

    private static String json(EndedRun run) throws JsonProcessingException {
        ObjectNode root = MAPPER.createObjectNode()
                .put("title", run.page().title())
                .put("summary", run.page().summary())
                .put("holds", run.holds());
        root.set("environment", MAPPER.valueToTree(run.environment()));
        root.set("report", run.figures());
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }
}
