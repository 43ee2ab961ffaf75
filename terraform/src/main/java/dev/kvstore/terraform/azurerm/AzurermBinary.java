package dev.kvstore.terraform.azurerm;

import dev.kvstore.launcher.LaunchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The real azurerm: a binary that the user has, started once for all Terraforms. It speaks with Azure only for
 * resources that are not mocked. Thread-safe.
 */
public final class AzurermBinary implements RunningAzurerm {
    // Its schema alone takes seconds where cores are busy.
    private static final int START_MINUTES = 2;
    private static final int STOP_SECONDS = 10;

    private static final String ADDRESS = "registry.terraform.io/hashicorp/azurerm";
    private static final Pattern REATTACH = Pattern.compile(".*" + VARIABLE + "='(.+)'");

    private final Process process;
    private final Path log;
    private final String reattach;

    private AzurermBinary(Process process, Path log, String reattach) {
        this.process = process;
        this.log = log;
        this.reattach = reattach;
    }

    /**
     * Looks whether a file can be started.
     *
     * @param file such as {@code terraform-provider-azurerm_v4.73.0_x5}
     * @throws IllegalArgumentException if this is no file that can be run
     */
    public static void require(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "there is no file " + file + ": --azurerm names a provider's binary, such as"
                            + " terraform-provider-azurerm_v" + AzurermPackage.VERSION + "_x5");
        }
        if (!Files.isExecutable(file)) {
            throw new IllegalArgumentException(
                    file + " cannot be run: --azurerm names a provider's binary (chmod +x FILE)");
        }
    }

    /**
     * Starts a binary.
     *
     * @param file such as {@code terraform-provider-azurerm_v4.73.0_x5}
     * @throws IllegalArgumentException if this is no file that can be run
     * @throws LaunchException if it is not azurerm, or does not start within 2 minutes
     */
    public static AzurermBinary start(Path file) throws IOException, InterruptedException {
        require(file);
        Path log = Files.createTempFile("kv-azurerm-", ".log");
        Process process = null;
        try {
            process = process(file, log);
            return new AzurermBinary(process, log, reattach(file, process, log));
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(log);
            throw e;
        }
    }

    private static Process process(Path file, Path log) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(file.toAbsolutePath().toString(), "-debuggable").redirectError(log.toFile());
            // Else it writes some lines for each of its thousand resources.
            builder.environment()
                    .putAll(Map.of("TF_LOG_SDK", "OFF", "TF_LOG_SDK_PROTO", "OFF", "TF_LOG_PROVIDER", "OFF"));
            return builder.start();
        } catch (IOException e) {
            throw new LaunchException(file + " does not start: " + e.getMessage(), e);
        }
    }

    private static String reattach(Path file, Process process, Path log) throws IOException, InterruptedException {
        CompletableFuture<String> found = new CompletableFuture<>();
        // Reads on to the end, so that the provider is never held up by a full pipe.
        Thread.startVirtualThread(() -> {
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    Matcher reattach = REATTACH.matcher(line);
                    if (reattach.matches()) {
                        found.complete(reattach.group(1));
                    }
                }
                found.complete("");
            } catch (IOException e) {
                found.completeExceptionally(e);
            }
        });
        String reattach;
        try {
            reattach = found.get(START_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException e) {
            throw new LaunchException(
                    file + " did not say within " + START_MINUTES + " minutes where Terraform reaches it", e);
        }
        if (!reattach.contains('"' + ADDRESS + '"')) {
            String said = Files.readString(log).strip();
            throw new LaunchException(file + " is no provider " + ADDRESS
                    + (reattach.isEmpty()
                            ? ", which says where it listens when started with -debuggable"
                            : ", but another")
                    + (said.isEmpty()
                            ? ""
                            : ": "
                                    + said.lines()
                                            .limit(3)
                                            .reduce("", (a, b) -> a + "\n" + b)
                                            .strip()));
        }
        return reattach;
    }

    @Override
    public String reattach() {
        return reattach;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(log);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException _) {
            // A file in the folder for temporary ones.
        }
    }
}
