package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The lines that a program wrote to its standard output and to its standard error. */
record ProgramOutput(List<String> out, List<String> err) {
    /** Runs a program to its end in a folder of its own, which keeps its output. It must end with exit code 0. */
    static ProgramOutput of(Path folder, List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor())
                .as(() -> command.getFirst() + " said " + text(err) + text(out))
                .isZero();
        return new ProgramOutput(Files.readAllLines(out), Files.readAllLines(err));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "nothing that can be read: " + e;
        }
    }
}
