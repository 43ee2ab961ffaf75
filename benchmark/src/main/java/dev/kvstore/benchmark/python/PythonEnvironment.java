package dev.kvstore.benchmark.python;

import dev.kvstore.benchmark.peers.ProgramRun;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
        Path client = client(home);
        Path requirements = client.resolve("bench/requirements.txt");
        Path folder = home.target().resolve("python-tools").resolve("kvstore-bench-" + version(requirements));
        PythonEnvironment environment = new PythonEnvironment(client, folder);
        String flaw = environment.once(folder.resolve("made"), () -> environment.make(interpreter(path), requirements));
        if (!flaw.isEmpty()) {
            throw new LaunchException("the Python client cannot run: " + flaw);
        }
        return environment;
    }

    private String make(String python, Path requirements) throws InterruptedException {
        String venv = flaw(Programs.command("%s -m venv %s", python, folder));
        if (!venv.isEmpty()) {
            return "python3 has no module venv; install the package \"python3-venv\": " + venv;
        }
        String packages = pip(requirements);
        return packages.isEmpty() ? "" : "packages of " + requirements + " cannot be installed: " + packages;
    }

    private static String interpreter(String path) throws InterruptedException {
        Path python = Programs.find("python3", path)
                .orElseThrow(() -> new LaunchException(
                        "the Python client needs Python 3.10 or newer, and there is no python3 on the"
                                + " PATH: install the package \"python3\""));
        if (!ProgramRun.of(List.of(python.toString(), "-c", IS_NEW_ENOUGH)).succeeded()) {
            throw new LaunchException("the Python client needs Python 3.10 or newer, and " + python
                    + " is older: put a newer python3 before it on the PATH");
        }
        return python.toString();
    }

    /**
     * The environment that {@code kv test --engines} made of an engine in the version that its recipe names, for
     * programs of this client's {@code bench} folder; empty if it is not there. Nothing is installed.
     *
     * @param engine as in {@code lmcache}
     */
    public static Optional<PythonEnvironment> ofEngine(Home home, String engine) throws IOException {
        Path place = home.target().resolve("engines").resolve(engine).resolve("pinned");
        if (!Files.isDirectory(place)) {
            return Optional.empty();
        }
        try (Stream<Path> folders = Files.list(place)) {
            // The file tells that the environment is whole.
            return folders.filter(folder -> Files.exists(folder.resolve("installed")))
                    .findFirst()
                    .map(folder -> new PythonEnvironment(client(home), folder));
        }
    }

    private static Path client(Home home) {
        return home.path().resolve("client-python/kvstore-client");
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
        return once(folder.resolve(requirements + "-" + version(file)), () -> pip(file));
    }

    /** The interpreter, and where its packages put their programs. */
    public Path python() {
        return folder.resolve("bin/python");
    }

    /** The interpreter's version, such as {@code Python 3.11.7}. */
    public String version() throws InterruptedException {
        return ProgramRun.of(Programs.command("%s --version", python()))
                .output()
                .strip();
    }

    private static String version(Path requirements) throws IOException {
        return Integer.toHexString(Files.readString(requirements).hashCode());
    }

    private String pip(Path requirements) throws InterruptedException {
        return flaw(Programs.command(
                "%s -m pip install --quiet --disable-pip-version-check --only-binary=:all: --requirement %s",
                python(), requirements));
    }

    /** Something that is done to an environment; the result is why that failed, empty if it did not. */
    @FunctionalInterface
    private interface InstallWork {
        String run() throws IOException, InterruptedException;
    }

    /** Does it if the file is not there, which is made then. One process at a time works on an environment. */
    private String once(Path done, InstallWork work) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        try (FileChannel channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (Files.exists(done)) {
                return "";
            }
            String flaw = work.run();
            if (flaw.isEmpty()) {
                Files.createFile(done);
            }
            return flaw;
        }
    }

    /** The end of the output of a program that failed, in one line; empty for success. */
    private static String flaw(List<String> command) throws InterruptedException {
        ProgramRun run = ProgramRun.of(command);
        List<String> lines =
                run.output().lines().filter(line -> !line.isBlank()).toList();
        List<String> last = lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size());
        return run.succeeded() ? "" : "exit code " + run.exitCode() + ", " + String.join(" ", last);
    }
}
