package dev.kvstore.control.rest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Programs of the Python package index that hold a service against its OpenAPI document, kept below {@code target}. */
final class PublicTools {
    private static final List<String> PACKAGES = List.of("openapi-spec-validator==0.9.0", "schemathesis==4.32.5");

    private PublicTools() {}

    /**
     * The end of a program.
     *
     * @param code its exit code
     * @param said all that it printed
     */
    record ToolResult(int code, String said) {
        /** The failures that schemathesis lists, without the rest of its report; the whole report if it lists none. */
        String failures() {
            return said.substring(Math.max(0, said.indexOf("= FAILURES =")));
        }
    }

    private static Path folder() {
        return Home.current().target().resolve("python-tools");
    }

    /**
     * Runs one of the programs, which are installed where that was not done before; a test is skipped where they cannot
     * be.
     */
    static ToolResult run(String program, String... arguments) throws IOException, InterruptedException {
        Path home = folder().resolve(String.join("-", PACKAGES).replace("==", "-"));
        if (!Files.exists(home.resolve("installed"))) {
            install(home);
        }
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin").resolve(program).toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static void install(Path home) throws IOException, InterruptedException {
        assumeTrue(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
                "missing: python3, on which openapi-spec-validator and schemathesis run");
        ToolResult made = run(List.of("python3", "-m", "venv", home.toString()));
        assumeTrue(made.code() == 0, "missing: the module venv of python3: " + made.said());
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/pip").toString(), "install", "--quiet"));
        command.addAll(PACKAGES);
        ToolResult installed = run(command);
        assumeTrue(installed.code() == 0, "missing: " + PACKAGES + " from a Python package index: " + installed.said());
        Files.createFile(home.resolve("installed"));
    }

    private static ToolResult run(List<String> command) throws IOException, InterruptedException {
        Files.createDirectories(folder());
        Path said = Files.createTempFile(folder(), "said", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            process.getOutputStream().close();
            int code = process.waitFor();
            return new ToolResult(code, Files.readString(said));
        } finally {
            Files.delete(said);
        }
    }
}
