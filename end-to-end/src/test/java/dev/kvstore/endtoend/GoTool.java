package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Programs of Kubernetes' world, built from released Go modules and kept below {@code target}. */
final class GoTool {
    static final GoTool HELM = new GoTool("helm", "helm.sh/helm/v3/cmd/helm@v3.22.0");
    static final GoTool KUBECONFORM = new GoTool("kubeconform", "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0");
    static final GoTool REGISTRY =
            new GoTool("registry", "github.com/google/go-containerregistry/cmd/registry@v0.22.1");

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
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
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

    static void requireGo() {
        assumeTrue(isOnPath("go"), "missing: go, of https://go.dev, which builds helm and others");
    }

    /** What it says, whether it fails or not. */
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
