package dev.kvstore.benchmark.python;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A virtual environment below {@code target} that runs the Python client of this checkout, from its sources.
 * Thread-safe.
 *
 * @param client the folder of the Python client
 * @param folder the folder of the environment
 */
public record PythonEnvironment(Path client, Path folder) {
    private static final String IS_NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 10))";
    private static final int MINUTES = 10;
    private static final int TOLD_LINES = 3;

    /**
     * The environment of the client's own requirements, made where that was not done before.
     *
     * @throws LaunchException if there is no Python 3.10 or newer, or the packages cannot be installed; with the way
     *     out
     */
    public static PythonEnvironment of(Home home) throws IOException, InterruptedException {
        return of(home, Objects.requireNonNullElse(System.getenv("PATH"), ""));
    }

    static PythonEnvironment of(Home home, String path) throws IOException, InterruptedException {
        Path client = home.path().resolve("client-python/kvstore-client");
        Path requirements = client.resolve("bench/requirements.txt");
        String version = Integer.toHexString(Files.readString(requirements).hashCode());
        Path folder = home.target().resolve("python-tools").resolve("kvstore-bench-" + version);
        PythonEnvironment environment = new PythonEnvironment(client, folder);
        environment.make(path, requirements);
        return environment;
    }

    /**
     * The environment that {@code kv test --engines} made of an engine in the version that its recipe names, for
     * programs of this client's {@code bench} folder. Nothing is installed.
     *
     * @param engine as in {@code lmcache}
     * @throws LaunchException if it is not there, with the way to have it
     */
    PythonEnvironment ofEngine(Home home, String engine) throws IOException {
        Path place = home.target().resolve("engines").resolve(engine).resolve("pinned");
        if (Files.isDirectory(place)) {
            try (Stream<Path> folders = Files.list(place)) {
                // The file tells that the environment is whole.
                Optional<Path> made = folders.filter(folder -> Files.exists(folder.resolve("installed")))
                        .findFirst();
                if (made.isPresent()) {
                    return new PythonEnvironment(client, made.get());
                }
            }
        }
        throw new LaunchException("it is not in target/engines; ./kv test --engines " + engine + " makes it");
    }

    /** The start of a command line that runs a module of the client's {@code bench} folder. */
    public List<String> command(String module) {
        return List.of(python().toString(), "-m", "kvstore_bench." + module);
    }

    /** The variables that a program needs to find the client and the modules of its {@code bench} folder. */
    public Map<String, String> variables() {
        String path = client.resolve("src") + File.pathSeparator + client.resolve("bench");
        return Map.of("PYTHONPATH", path, "PYTHONDONTWRITEBYTECODE", "1", "PYTHONUNBUFFERED", "1");
    }

    /**
     * Installs more packages, where that was not done before.
     *
     * @param requirements a file of pip's, in the client's {@code bench} folder
     * @return why they cannot be installed, in one line; empty if they are there
     */
    public String install(String requirements) throws IOException, InterruptedException {
        Path file = client.resolve("bench").resolve(requirements);
        String version = Integer.toHexString(Files.readString(file).hashCode());
        Path installed = folder.resolve(requirements + "-" + version);
        return locked(() -> {
            if (Files.exists(installed)) {
                return "";
            }
            Said said = pip(file);
            if (said.succeeded()) {
                Files.createFile(installed);
            }
            return said.flaw();
        });
    }

    /** The interpreter, and where its packages put their programs. */
    public Path python() {
        return folder.resolve("bin/python");
    }

    /** Its version, as in {@code Python 3.11.7}. */
    public String version() throws IOException, InterruptedException {
        return String.join(" ", run(List.of(python().toString(), "--version")).lines());
    }

    private void make(String path, Path requirements) throws IOException, InterruptedException {
        String flaw = locked(() -> {
            Path made = folder.resolve("made");
            if (Files.exists(made)) {
                return "";
            }
            Said venv = run(List.of(interpreter(path), "-m", "venv", folder.toString()));
            if (!venv.succeeded()) {
                return "python3 has no module venv; install the package \"python3-venv\": " + venv.flaw();
            }
            Said packages = pip(requirements);
            if (!packages.succeeded()) {
                return "packages of " + requirements + " cannot be installed: " + packages.flaw();
            }
            Files.createFile(made);
            return "";
        });
        if (!flaw.isEmpty()) {
            throw new LaunchException("the Python client cannot run: " + flaw);
        }
    }

    private static String interpreter(String path) throws IOException, InterruptedException {
        Path python = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(path)
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "python3"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        if (python == null) {
            throw new LaunchException("the Python client needs Python 3.10 or newer, and there is no python3 on the"
                    + " PATH: install the package \"python3\"");
        }
        if (!run(List.of(python.toString(), "-c", IS_NEW_ENOUGH)).succeeded()) {
            throw new LaunchException("the Python client needs Python 3.10 or newer, and " + python
                    + " is older: put a newer python3 before it on the PATH");
        }
        return python.toString();
    }

    private Said pip(Path requirements) throws IOException, InterruptedException {
        return run(List.of(
                python().toString(),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--only-binary=:all:",
                "--requirement",
                requirements.toString()));
    }

    @FunctionalInterface
    private interface LockedWork {
        String run() throws IOException, InterruptedException;
    }

    /** One process at a time works on an environment. */
    private String locked(LockedWork work) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        try (FileChannel channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            return work.run();
        }
    }

    private record Said(int exitCode, List<String> lines) {
        boolean succeeded() {
            return exitCode == 0;
        }

        /** The end of the output in one line; empty for success. */
        String flaw() {
            if (succeeded()) {
                return "";
            }
            List<String> last = lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size());
            return String.format(Locale.ROOT, "exit code %d, %s", exitCode, String.join(" ", last));
        }
    }

    private static Said run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("kv-python-", ".txt");
        try {
            Process process = new ProcessBuilder(new ArrayList<>(command))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            try {
                boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
                if (!ended) {
                    return new Said(-1, List.of("not ended after " + MINUTES + " minutes"));
                }
                try (Stream<String> lines = Files.lines(output, UTF_8)) {
                    return new Said(
                            process.exitValue(),
                            lines.filter(line -> !line.isBlank()).toList());
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } finally {
            Files.delete(output);
        }
    }
}
