package dev.kvstore.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class UserEnvironmentTest {
    @Test
    void aProgramGetsSettingsUnderTheirNewNames() {
        ProcessBuilder program = new ProcessBuilder("true");
        program.environment().clear();
        program.environment().putAll(Map.of("KVSTORE_DRAM", "1G", "KVSTORE_QUOTA_KEYS", "7", "OTHER", "x"));

        UserEnvironment.replaceOldNames(program);

        assertThat(program.environment())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("KVSTORE_MEMORY_TIER_SIZE", "1G", "KVSTORE_MAX_KEYS_PER_TENANT", "7", "OTHER", "x"));
    }

    @Test
    void aPresetYieldsToAnOldNameThatEveryJavaIsGiven() {
        assertThat(UserEnvironment.gives("KVSTORE_DRAIN_GRACE_PERIOD")).isFalse();
        System.setProperty("kvstore.drain-grace", "2s");
        try {
            assertThat(UserEnvironment.gives("KVSTORE_DRAIN_GRACE_PERIOD")).isTrue();
        } finally {
            System.clearProperty("kvstore.drain-grace");
        }
    }
}
