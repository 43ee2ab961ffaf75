package dev.kvstore.launcher.terraform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

class PlatformTest {
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux_amd64",
        "Linux, aarch64, linux_arm64",
        "Mac OS X, aarch64, darwin_arm64",
        "Mac OS X, x86_64, darwin_amd64",
        "Windows Server 2025, amd64, windows_amd64"
    })
    void theMachineIsNamedAsTerraformNamesIt(String name, String arch, String expected) {
        assertThat(Platform.of(name, arch)).hasToString(expected).isIn(Platform.ALL);
    }

    @Test
    void everyPlatformOfAReleaseCanBeAskedFor() {
        assertThat(Platform.ALL)
                .hasSize(6)
                .allMatch(platform ->
                        new Platform.Reader().convert(platform.toString()).equals(platform));
    }

    @Test
    void anotherPlatformIsRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> new Platform.Reader().convert("plan9_mips"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("linux_amd64, linux_arm64")
                .hasMessageEndingWith("not 'plan9_mips'");
    }
}
