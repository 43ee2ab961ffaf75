package dev.kvstore.terraform.check;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.terraform.azurerm.AzurermBinary;
import dev.kvstore.terraform.azurerm.AzurermStub;
import dev.kvstore.terraform.azurerm.RunningAzurerm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a check needs: a copy of the modules, an azurerm or a stand-in for it, the provider kvstore if there is Go,
 * and a Terraform that knows of them. Thread-safe.
 *
 * @param withoutKvstore why configurations that use kvstore cannot be checked, or null
 */
public record Workshop(
        WorkCopy copy,
        RunningAzurerm azurerm,
        Terraform terraform,
        @Nullable String withoutKvstore) implements AutoCloseable {
    /** Starts azurerm, or a stand-in for it. */
    private interface AzurermStart {
        RunningAzurerm with(Set<String> types) throws IOException, InterruptedException;
    }

    /** Opens one for this checkout, in which resources of azurerm must be mocked. */
    public static Workshop open() throws IOException, InterruptedException {
        return open(AzurermStub::start, true);
    }

    /** Opens one for this checkout, whose azurerm pretends to apply. */
    public static Workshop openPretending() throws IOException, InterruptedException {
        return open(AzurermStub::pretendingToApply, false);
    }

    /**
     * Opens one for this checkout, whose azurerm pretends to apply, and plans as a real one.
     *
     * @param azurerm binary of the provider
     * @throws IllegalArgumentException if this is no file that can be run
     */
    public static Workshop openPretending(Path azurerm) throws IOException, InterruptedException {
        return open(types -> AzurermStub.pretendingToApply(types, AzurermBinary.start(azurerm)), false);
    }

    /**
     * Opens one for this checkout, in which resources of azurerm must be mocked, and their arguments are what the real
     * one takes.
     *
     * @param azurerm binary of the provider
     * @throws IllegalArgumentException if this is no file that can be run
     */
    static Workshop openWith(Path azurerm) throws IOException, InterruptedException {
        return open(_ -> AzurermBinary.start(azurerm), true);
    }

    // Terraform's tests delete what they made, which protected resources refuse.
    private static Workshop open(AzurermStart start, boolean isUnprotected) throws IOException, InterruptedException {
        Home home = Home.current();
        Path folder = home.target().resolve("terraform");
        WorkCopy copy = WorkCopy.of(home.path(), folder);
        if (isUnprotected) {
            copy.removeProtection();
        }
        RunningAzurerm azurerm = null;
        try {
            azurerm = start.with(copy.types());
            Map<String, String> environment = new HashMap<>();
            String missing = null;
            try {
                environment.put(
                        "TF_CLI_CONFIG_FILE",
                        new KvstoreMirror(home.path().resolve("terraform/provider"), folder.resolve("kvstore"))
                                .configuration()
                                .toString());
            } catch (LaunchException e) {
                missing = String.valueOf(e.getMessage());
                environment.put("TF_CLI_CONFIG_FILE", nothing(copy).toString());
            }
            environment.put(RunningAzurerm.VARIABLE, azurerm.reattach());
            return new Workshop(copy, azurerm, new Terraform(environment), missing);
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (azurerm != null) {
                azurerm.close();
            }
            copy.close();
            throw e;
        }
    }

    private static Path nothing(WorkCopy copy) throws IOException {
        Path mirror = Files.createDirectories(copy.root().resolve("no-mirror"));
        return Files.writeString(
                copy.root().resolve("nothing.tfrc"),
                "provider_installation {\n  filesystem_mirror {\n    path = \"" + mirror + "\"\n  }\n}\n");
    }

    @Override
    public void close() {
        azurerm.close();
        copy.close();
    }
}
