package dev.kvstore.launcher.machine;

import dev.kvstore.launcher.Period;
import dev.kvstore.settings.Version;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv node secrets}: keeps files of this machine equal to the secrets of a key vault. */
@Command(
        name = "secrets",
        description =
                "Writes secrets of an Azure key vault to files, read as this machine's managed identity, and writes them again"
                        + " when they change. The programs follow such files: a new join token or certificate needs no restart.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class SecretsCommand implements Callable<Integer> {
    @Option(
            names = "--vault",
            paramLabel = "URL",
            required = true,
            description = "The key vault: https://NAME.vault.azure.net.")
    private URI vault = URI.create("");

    @Option(
            names = "--file",
            paramLabel = "SECRET=FILE",
            required = true,
            description =
                    "A secret, or a certificate (kept as PEM, its key included), and the file for it. May be repeated.")
    private Map<String, Path> files = new LinkedHashMap<>();

    @Option(
            names = "--token",
            paramLabel = "SERVICE=FILE",
            description =
                    "A service of Azure, such as https://monitor.azure.com, and the file for a token that proves to it"
                            + " that this machine asks. May be repeated. --once does not fail for want of one.")
    private Map<String, Path> tokens = new LinkedHashMap<>();

    @Option(
            names = "--identity",
            paramLabel = "ID",
            defaultValue = "",
            description = "The client id of the managed identity, if the machine has several.")
    private String identity = "";

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "5m",
            converter = Period.class,
            description = "How often the vault is asked, 1s to 1d. Default: ${DEFAULT-VALUE}.")
    private long everySeconds;

    @Option(names = "--once", description = "Write the files and end: with exit code 1 if one could not be written.")
    private boolean once;

    @Option(
            names = "--metadata",
            paramLabel = "URL",
            hidden = true,
            description = "Another service that answers as the metadata service of a virtual machine does.")
    private URI metadata = AzureMetadata.ADDRESS;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        for (String secret : files.keySet()) {
            if (!VaultClient.isName(secret)) {
                throw new IllegalArgumentException("--file: " + secret + " is no name of a secret");
            }
        }
        if (everySeconds < 1 || everySeconds > Duration.ofDays(1).toSeconds()) {
            throw new IllegalArgumentException("--every: must be 1s to 1d");
        }
        for (String service : tokens.keySet()) {
            if (!service.startsWith("https://")) {
                throw new IllegalArgumentException("--token: " + service + " is no service; give https://HOST");
            }
        }
        AzureMetadata machine = new AzureMetadata(metadata);
        VaultClient client = new VaultClient(vault, identity, machine);
        Consumer<String> say = spec.commandLine().getErr()::println;
        SecretFiles kept = new SecretFiles(client::read, files, say);
        SecretFiles proofs = new SecretFiles(service -> machine.token(service, identity), tokens, say);
        boolean all = kept.refresh();
        boolean proven = proofs.refresh();
        if (once) {
            return all ? 0 : 1;
        }
        Duration every = Duration.ofSeconds(everySeconds);
        while (true) {
            boolean calm = (all && proven) || every.compareTo(SecretFiles.RETRY) < 0;
            Thread.sleep(calm ? every : SecretFiles.RETRY);
            all = kept.refresh();
            proven = proofs.refresh();
        }
    }
}
