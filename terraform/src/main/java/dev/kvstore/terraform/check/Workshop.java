package dev.kvstore.terraform.check;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.terraform.azurerm.AzurermStub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a check needs: a copy of the modules, a stand-in for azurerm, the provider kvstore if there is Go, and a Terraform that knows
 * of them. Thread-safe.
 *
 * @param withoutKvstore why configurations that use kvstore cannot be checked, or null
 */
public record Workshop(
        WorkCopy copy,
        AzurermStub azurerm,
        Terraform terraform,
        @Nullable String withoutKvstore) implements AutoCloseable {
    /** Starts a stand-in for azurerm. */
    private interface Start {
        AzurermStub with(Set<String> types) throws IOException, InterruptedException;
    }

    /** Opens one for this checkout, in which resources of azurerm must be mocked. */
    public static Workshop open() throws IOException, InterruptedException {
        return open(AzurermStub::start);
    }

    /** Opens one for this checkout, whose azurerm pretends to apply. */
    public static Workshop openPretending() throws IOException, InterruptedException {
        return open(AzurermStub::pretendingToApply);
    }

    private static Workshop open(Start start) throws IOException, InterruptedException {
        Home home = Home.current();
        Path folder = home.target().resolve("terraform");
        WorkCopy copy = WorkCopy.of(home.path(), folder);
        try {
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
            AzurermStub azurerm = start.with(copy.types());
            environment.put(AzurermStub.VARIABLE, azurerm.reattach());
            return new Workshop(copy, azurerm, new Terraform(environment), missing);
        } catch (IOException | InterruptedException | RuntimeException e) {
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
