package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.server.settings.EarlySettings;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LocalDiskTest {
    @Test
    void noDiskNeedsNoFolder() {
        assertThat(flaw(Map.of())).isNull();
        assertThat(flaw(Map.of("disk-tier-path", "/somewhere"))).isNull();
    }

    @Test
    void aDiskInAFolderIsRight() {
        assertThat(flaw(Map.of("disk-tier-size", "512M", "disk-tier-path", "/somewhere")))
                .isNull();
    }

    @Test
    void aBudgetOfLessThanTwoRegionsIsNamedWithTheLeast() {
        assertThat(flaw(Map.of("disk-tier-size", "511M", "disk-tier-path", "/somewhere")))
                .isEqualTo("kvstore.disk-tier-size: must be 0, or 512M or more, not 535822336 bytes");
    }

    @Test
    void aDiskWithoutAFolderIsNamed() {
        String flaw = "kvstore.disk-tier-path: give the absolute path of a folder for kvstore.disk-tier-size";

        assertThat(flaw(Map.of("disk-tier-size", "1G"))).isEqualTo(flaw);
        assertThat(flaw(Map.of("disk-tier-size", "1G", "disk-tier-path", "relative")))
                .isEqualTo(flaw);
    }

    private static @Nullable String flaw(Map<String, String> settings) {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder()
                .withDefaultValue("kvstore.accounts", "unused")
                .withDefaultValue("kvstore.node-name", "unused");
        settings.forEach((name, value) -> config.withDefaultValue("kvstore." + name, value));
        return LocalDisk.flaw(EarlySettings.read(config));
    }
}
