package dev.kvstore.launcher.terraform;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code kv terraform mirror}: builds the provider into a folder from which Terraform installs it without a registry.
 */
@Command(
        name = "mirror",
        description =
                "Builds the Terraform provider into a folder from which Terraform installs it, without a registry.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class MirrorCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The mirror: made if missing; what else is in it stays.")
    private Path folder = Path.of("");

    @Option(
            names = "--platform",
            paramLabel = "OS_ARCH",
            converter = Platform.Reader.class,
            description = "Builds for this one, such as linux_arm64. May be repeated. Default: this machine.")
    private @Nullable Set<Platform> platforms;

    @Option(names = "--all", description = "Builds for linux, darwin and windows on amd64 and arm64.")
    private boolean all;

    @Option(names = "--release", paramLabel = "VERSION", description = "As what it is built. Default: this checkout's.")
    private @Nullable String release;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (all && platforms != null) {
            throw new IllegalArgumentException("--all: contradicts --platform");
        }
        Path source = Home.current().path().resolve("terraform/provider");
        if (!Files.exists(source.resolve("go.mod"))) {
            throw new LaunchException(source + " has no go.mod: the provider's source is not there");
        }
        // A constraint such as "~> 0.2" does not allow a snapshot.
        String version = release == null ? Version.text().replace("-SNAPSHOT", "") : release;
        if (!version.matches("\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?")) {
            throw new IllegalArgumentException("--release: must be a version such as 0.2.0, not '" + version + "'");
        }
        Mirror mirror = new Mirror(folder.toAbsolutePath().normalize());
        fill(mirror, new Provider(source, version));
        explain(mirror, version);
        return 0;
    }

    private void fill(Mirror mirror, Provider provider) throws IOException, InterruptedException {
        Files.createDirectories(mirror.folder());
        Path work = Files.createTempDirectory("kv-terraform-");
        try {
            for (Platform platform : chosen()) {
                Path program = provider.build(platform, work);
                Path archive = mirror.add(program, provider.version(), platform);
                Files.delete(program);
                spec.commandLine().getErr().println("kv: " + archive);
            }
        } finally {
            Files.delete(work);
        }
        Path _ = mirror.sum(provider.version());
    }

    private Set<Platform> chosen() {
        if (all) {
            return new LinkedHashSet<>(Platform.ALL);
        }
        return platforms != null
                ? platforms
                : Set.of(Platform.of(System.getProperty("os.name"), System.getProperty("os.arch")));
    }

    /** Prints the configuration that a user needs to standard output, in the form of a configuration file. */
    private void explain(Mirror mirror, String version) {
        PrintWriter out = spec.commandLine().getOut();
        List.of(
                        "# Terraform installs the provider kvstore from here: put this into the file that TF_CLI_CONFIG_FILE names",
                        "# (else ~/.terraformrc), and into required_providers: source = \"" + Mirror.ADDRESS
                                + "\", version = \"" + version + "\"",
                        "provider_installation {",
                        "  filesystem_mirror {",
                        "    path    = \"" + mirror.folder().toString().replace("\\", "\\\\") + "\"",
                        "    include = [\"kvstore.dev/*/*\"]",
                        "  }",
                        "  direct {",
                        "    exclude = [\"kvstore.dev/*/*\"]",
                        "  }",
                        "}")
                .forEach(out::println);
        out.flush();
    }
}
