package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The programs that check a folder of {@code client-python}, in an environment below {@code target}.
 *
 * @param source the folder
 * @param programs where the programs are
 * @param output a folder for what they print
 */
record PythonTools(Path source, Path programs, Path output) {
    private static final Path CLIENTS = Home.current().path().resolve("client-python");
    private static final Path REQUIREMENTS = CLIENTS.resolve("kvstore-client/requirements-test.txt");
    private static final String IS_NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 10))";
    private static final int MINUTES = 10;

    /** For a folder of {@code client-python}; a test is skipped where its programs cannot be installed. */
    static PythonTools of(String folder, Path output) throws IOException, InterruptedException {
        String name = "kvstore-client-"
                + Integer.toHexString(Files.readString(REQUIREMENTS).hashCode());
        Path home = Home.current().target().resolve("python-tools").resolve(name);
        Path lock = Files.createDirectories(home).resolve("lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            install(home);
        }
        return new PythonTools(CLIENTS.resolve(folder), home.resolve("bin"), output);
    }

    private static void install(Path home) throws IOException, InterruptedException {
        Path installed = home.resolve("installed");
        if (Files.exists(installed)) {
            return;
        }
        assumeTrue(GoTool.isOnPath("python3"), "missing: python3, 3.10 or newer, which the Python client is for");
        boolean isOld = isError(GoTool.run(home, Map.of(), List.of("python3", "-c", IS_NEW_ENOUGH)));
        assumeTrue(!isOld, "missing: Python 3.10 or newer; the python3 on the PATH is older");
        String made = GoTool.run(home, Map.of(), List.of("python3", "-m", "venv", home.toString()));
        assumeTrue(!isError(made), "missing: the module venv of python3: " + made);
        String pip = home.resolve("bin/pip").toString();
        List<String> install = List.of(pip, "install", "--quiet", "--only-binary=:all:", "-r", REQUIREMENTS.toString());
        String got = GoTool.run(home, Map.of(), install);
        assumeTrue(!isError(got), "missing: packages of requirements-test.txt from a Python package index: " + got);
        Files.createFile(installed);
    }

    private static boolean isError(String said) {
        return said.contains("exit code");
    }

    /** Format, lint and types, which have no exceptions. */
    void check() throws IOException, InterruptedException {
        assertThat(run(Map.of(), "ruff", "format", "--check", ".")).contains("already formatted");
        assertThat(run(Map.of(), "ruff", "check", ".")).contains("All checks passed");
        assertThat(run(Map.of(), "mypy", "--strict")).contains("no issues found");
        assertThat(source.resolve("pyproject.toml")).content().doesNotContain("disallow_", "strict_", "warn_");
    }

    /** The output of a program, which must end with exit code 0. */
    String run(Map<String, String> environment, String program, String... words)
            throws IOException, InterruptedException {
        Path said = output.resolve(program + ".txt");
        Process process = start(environment, said, program, words);
        process.getOutputStream().close();
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String text = Files.readString(said);
        assertThat(ended)
                .as("%s ends within %d min: %s", program, MINUTES, text)
                .isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    /** Starts a program, whose output goes to a file. */
    Process start(Map<String, String> environment, Path said, String program, String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(programs.resolve(program).toString())
                .directory(source.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.command().addAll(List.of(words));
        builder.environment().putAll(environment);
        builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        builder.environment().put("PYTHONPATH", source.resolve("src") + ":" + CLIENTS.resolve("kvstore-client/src"));
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return builder.start();
    }
}
