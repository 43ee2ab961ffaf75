package dev.kvstore.launcher.terraform;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The provider's source, which Go builds. The same source gives the same bytes, in any folder. One thread uses it.
 *
 * @param source the folder with its {@code go.mod}
 * @param version the version of the program, such as {@code 0.2.0}
 */
record Provider(Path source, String version) {
    private static final int SAID = 4_000;

    /** The name of the program for a platform; Terraform looks for this name. */
    String program(Platform platform) {
        return "terraform-provider-kvstore_v" + version + platform.suffix();
    }

    /**
     * Builds the program.
     *
     * @param into an existing folder
     * @throws LaunchException if there is no Go, or if Go fails, with its last output
     */
    Path build(Platform platform, Path into) throws IOException, InterruptedException {
        Path program = into.resolve(program(platform));
        Path said = Files.createTempFile(into, "go-", ".log");
        ProcessBuilder go = new ProcessBuilder(List.of(
                        "go",
                        "build",
                        "-trimpath",
                        "-buildvcs=false",
                        "-ldflags",
                        "-s -w -buildid= -X main.version=" + version,
                        "-o",
                        program.toString(),
                        "."))
                .directory(source.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        go.environment().putAll(Map.of("CGO_ENABLED", "0", "GOOS", platform.os(), "GOARCH", platform.arch()));
        try {
            Process process = start(go);
            process.getOutputStream().close();
            if (process.waitFor() != 0) {
                String text = Files.readString(said).strip();
                throw new LaunchException("go did not build the provider for " + platform + ": "
                        + text.substring(Math.max(0, text.length() - SAID)));
            }
        } finally {
            Files.delete(said);
        }
        return program;
    }

    private static Process start(ProcessBuilder go) {
        try {
            return go.start();
        } catch (IOException e) {
            throw new LaunchException(
                    "go is not on the PATH: install Go 1.26 or newer from https://go.dev; only the provider needs it",
                    e);
        }
    }
}
