package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EarlySettingsTest {
    private static final long MIB = 1 << 20;

    @Test
    void sizesAndTimesHaveUnits() {
        Settings settings = read(Map.of("kvstore.dram", "3M", "kvstore.stall", "4s"));

        assertThat(settings.dram().asLongValue()).isEqualTo(3 * MIB);
        assertThat(settings.stall()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void everySettingHasTheDefaultThatTheHandbookStates() {
        Settings settings = read(Map.of());

        assertThat(settings.dram().asLongValue()).isEqualTo(1024 * MIB);
        assertThat(settings.transfer().asLongValue()).isEqualTo(1024 * MIB);
        assertThat(settings.inbound().asLongValue()).isEqualTo(512 * MIB);
        assertThat(settings.unarySend().asLongValue()).isEqualTo(256 * MIB);
        assertThat(settings.streamPrefetch().asLongValue()).isEqualTo(128 * MIB);
        assertThat(settings.patience()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.stall()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.verifiedBlocks()).isEqualTo(500_000);
        assertThat(settings.window().asLongValue()).isEqualTo(64 * MIB);
        assertThat(settings.streamsPerConnection()).isEqualTo(200);
        assertThat(settings.keepalive()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aWrongValueIsNamedWithItsSetting() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("kvstore.dram", "lots", "kvstore.stall", "soon")))
                .withMessageContainingAll("kvstore.dram: cannot be \"lots\"", "kvstore.stall: cannot be \"soon\"")
                .withMessageNotContaining("Exception");
    }

    @Test
    void anUnknownSettingIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("kvstore.drum", "1G")))
                .withMessageContaining("kvstore.drum");
    }

    @Test
    void memoryThatIsNotThereIsNotPromised() {
        Settings settings = read(Map.of()); // 2816 MiB

        assertThat(new MachineMemory(4096 * MIB, 1024 * MIB, 2816 * MIB).flaw(settings))
                .isNull();
        assertThat(new MachineMemory(4096 * MIB, 1024 * MIB, 2815 * MIB).flaw(settings))
                .contains("kvstore.dram", "2816 MiB", "-XX:MaxDirectMemorySize", "2815 MiB");
        assertThat(new MachineMemory(3839 * MIB, 1024 * MIB, 4096 * MIB).flaw(settings))
                .contains("kvstore.dram", "2816 MiB", "1024 MiB", "3839 MiB", "-Xmx");
    }

    private static Settings read(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("kvstore.accounts", "accounts.json");
        return EarlySettings.read(
                new SmallRyeConfigBuilder().withSources(new PropertiesConfigSource(all, "test", 100)));
    }
}
