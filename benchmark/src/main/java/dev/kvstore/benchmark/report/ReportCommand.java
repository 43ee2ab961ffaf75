package dev.kvstore.benchmark.report;

import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.PrivateFile;
import dev.kvstore.launcher.WritablePath;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv bench report}. */
@Command(
        name = "report",
        header = "Writes a page that links the reports of several runs.",
        description =
                "Writes index.html into a folder of reports: a page that links those in its folders, as in kv bench peers"
                        + " --report runs/monday, kv bench peers --report runs/tuesday, kv bench report runs.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FOLDER", description = "Folder whose folders have a report each.")
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("FOLDER: " + folder + " is not a folder");
        }
        Path file = folder.resolve(ReportIndex.FILE);
        WritablePath.requireFile("FOLDER", file);
        PrintWriter err = spec.commandLine().getErr();
        try {
            ReportIndex index = ReportIndex.of(folder, line -> err.println("bench: " + line));
            if (index.size() == 0) {
                throw new IllegalArgumentException("FOLDER: no folder in " + folder + " has a " + ReportFolder.JSON
                        + "; --report of the other commands writes one");
            }
            PrivateFile.write(file, index.html());
            spec.commandLine()
                    .getOut()
                    .println(file + " links " + index.size() + (index.size() == 1 ? " run" : " runs"));
            return 0;
        } catch (IOException e) {
            throw new LaunchException(file + " cannot be written: " + IoReason.of(e), e);
        }
    }
}
