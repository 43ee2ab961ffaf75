package dev.kvstore.terraform.azurerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a provider's binary is started, with programs that say what providers say. */
@Tag("slow")
class AzurermBinaryTest {
    private static final String SERVES = """
            echo "Provider started. To attach Terraform CLI, set the TF_REATTACH_PROVIDERS environment variable with the following:"
            echo "        TF_REATTACH_PROVIDERS='{\\"%s\\":{\\"Protocol\\":\\"grpc\\"}}'"
            exec sleep 600
            """;

    @TempDir
    Path folder;

    @Test
    void terraformIsToldWhatTheProviderSays() throws Exception {
        try (AzurermBinary azurerm =
                AzurermBinary.start(program(SERVES.formatted("registry.terraform.io/hashicorp/azurerm")))) {
            assertThat(azurerm.reattach())
                    .isEqualTo("{\"registry.terraform.io/hashicorp/azurerm\":{\"Protocol\":\"grpc\"}}");
        }
    }

    @Test
    void anotherProviderIsRefusedByItsName() throws IOException {
        Path other = program(SERVES.formatted("registry.terraform.io/hashicorp/aws"));

        assertThatThrownBy(() -> AzurermBinary.start(other))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining(other + " is no provider registry.terraform.io/hashicorp/azurerm, but another");
    }

    @Test
    void aProgramThatEndsIsRefusedWithWhatItSaid() throws IOException {
        Path other = program("echo \"$1: no such option\" >&2; exit 2\n");

        assertThatThrownBy(() -> AzurermBinary.start(other))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining(other.toString())
                .hasMessageEndingWith("-debuggable: no such option");
    }

    private Path program(String script) throws IOException {
        Path file = folder.resolve("provider");
        Files.writeString(file, "#!/bin/sh\n" + script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
