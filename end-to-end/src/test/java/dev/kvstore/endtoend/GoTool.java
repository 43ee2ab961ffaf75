package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Programs built from released Go modules and kept below {@code target}. */
final class GoTool {
    static final GoTool DASHBOARD_LINTER = new GoTool("dashboard-linter", "github.com/grafana/dashboard-linter@v0.1.1");
    static final GoTool HELM = new GoTool("helm", "helm.sh/helm/v3/cmd/helm@v3.22.0");
    static final GoTool H2SPEC = new GoTool("h2spec", "github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible");
    static final GoTool KUBECONFORM = new GoTool("kubeconform", "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0");

    private final String name;
    private final String source;

    private GoTool(String name, String source) {
        this.name = name;
        this.source = source;
    }

    static Path folder() {
        return Home.current().target().resolve("go-tools");
    }

    /** Whether there is a program of this name on the PATH. */
    static boolean isOnPath(String program) {
        return places(program).findFirst().isPresent();
    }

    /** Where it is, of a program that is on the PATH. */
    static Path onPath(String program) {
        return places(program).findFirst().orElseThrow();
    }

    private static Stream<Path> places(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable);
    }

    /** Builds it where that was not done before; a test is skipped where it cannot be. */
    Path path() throws IOException, InterruptedException {
        Path folder = folder().resolve(source.replaceAll(".*@", name + "-"));
        Path program = folder.resolve(name);
        if (!Files.exists(program)) {
            requireGo();
            String said = run(folder, Map.of("GOBIN", folder.toString()), List.of("go", "install", source));
            assumeTrue(Files.exists(program), "missing: " + source + " from Go's module proxy: " + said);
        }
        return program;
    }

    /**
     * Builds a module of {@code deploy/checks}, likewise.
     *
     * @param module its folder, and the program's name
     * @param version of what it builds, in the name of the folder that keeps it
     * @param linker flags of Go's linker
     */
    static Path build(String module, String version, String linker) throws IOException, InterruptedException {
        Path built = folder().resolve(module + "-" + version);
        Path program = built.resolve(module);
        if (!Files.exists(program)) {
            requireGo();
            Files.createDirectories(built);
            for (String file : List.of("main.go", "go.mod")) {
                Path source = Home.current().path().resolve("deploy/checks").resolve(module);
                Files.copy(source.resolve(file), built.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            String tidied = run(built, Map.of(), List.of("go", "mod", "tidy"));
            List<String> command = List.of("go", "build", "-p", "1", "-ldflags", linker, "-o", program.toString(), ".");
            String said = run(built, Map.of(), command);
            assumeTrue(Files.exists(program), "missing: " + module + " from Go's module proxy: " + tidied + said);
        }
        return program;
    }

    static void requireGo() {
        assumeTrue(isOnPath("go"), "missing: go, of https://go.dev, which builds helm, kv terraform check and others");
    }

    /** The output of a run, whether it fails or not. */
    static String run(Path folder, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path said = Files.createTempFile(folder, "said", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            int code = process.waitFor();
            return Files.readString(said) + (code == 0 ? "" : "exit code " + code + "\n");
        } finally {
            Files.delete(said);
        }
    }
}
