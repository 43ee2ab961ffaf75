package dev.kvstore.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.settings.OldNames.GivenValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OldNamesTest {
    private final List<String> warnings = new ArrayList<>();

    @Test
    void anOldPropertyCountsAndTheWarningNamesTheNewOne() {
        assertThat(read(Map.of(), Map.of("kvstore.dram", "3M"))).isEqualTo(Map.of("kvstore.memory-tier-size", "3M"));
        assertThat(warnings)
                .containsExactly(
                        "kvstore.dram is now called kvstore.memory-tier-size; version 0.3 will refuse the old name");
    }

    @Test
    void anOldVariableIsWarnedOfAsItIsSpelt() {
        assertThat(read(Map.of("KVSTORE_UNARY_SEND", "70M"), Map.of()))
                .isEqualTo(Map.of("kvstore.unread-response-memory", "70M"));
        assertThat(warnings)
                .containsExactly(
                        "KVSTORE_UNARY_SEND is now called KVSTORE_UNREAD_RESPONSE_MEMORY; version 0.3 will refuse"
                                + " the old name");
    }

    @Test
    void eachOldNameIsWarnedOfOnceHoweverOftenItIsGiven() {
        assertThat(read(Map.of("KVSTORE_STALL", "7s"), Map.of("kvstore.stall", "9s", "kvstore.dram", "1G")))
                .isEqualTo(Map.of("kvstore.client-stall-timeout", "7s", "kvstore.memory-tier-size", "1G"));
        assertThat(warnings).hasSize(2);
    }

    @Test
    void bothNamesWithOneValueAreOneSetting() {
        assertThat(read(Map.of("KVSTORE_DRAM", "1G"), Map.of("kvstore.memory-tier-size", "1G")))
                .isEqualTo(Map.of("kvstore.memory-tier-size", "1G"));
        assertThat(warnings).hasSize(1);
    }

    @Test
    void bothNamesWithTwoValuesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("KVSTORE_DRAM", "1G"), Map.of("kvstore.memory-tier-size", "2G")))
                .withMessage(
                        "KVSTORE_DRAM: is the old name of kvstore.memory-tier-size, which has another value; remove"
                                + " KVSTORE_DRAM");
    }

    @Test
    void newNamesAreNotWarnedOf() {
        assertThat(read(Map.of("KVSTORE_MEMORY_TIER_SIZE", "1G"), Map.of())).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void noOldNameIsANewOneToo() {
        for (OldNames names : List.of(OldNames.DATA_PLANE, OldNames.CONTROL_PLANE)) {
            assertThat(names.names().values())
                    .doesNotHaveDuplicates()
                    .doesNotContainAnyElementsOf(names.names().keySet());
        }
    }

    @Test
    void anEnvironmentGetsNewNamesInPlaceOfOldOnes() {
        assertThat(OldVariables.replace(
                        OldNames.DATA_PLANE,
                        Map.of("KVSTORE_DISK_PATH", "/a", "kvstore_dram", "1G", "PATH", "/bin"),
                        warnings::add))
                .isEqualTo(Map.of("KVSTORE_DISK_TIER_PATH", "/a", "KVSTORE_MEMORY_TIER_SIZE", "1G", "PATH", "/bin"));
        assertThat(warnings).hasSize(2);
    }

    @Test
    void aSettingIsFoundAsItIsSpelt() {
        assertThat(GivenValue.variable("kvstore.tls-reload", "1s").spelling()).isEqualTo("KVSTORE_TLS_RELOAD");
    }

    private Map<String, String> read(Map<String, String> variables, Map<String, String> properties) {
        return OldProperties.read(
                OldNames.DATA_PLANE,
                new SmallRyeConfigBuilder()
                        .withSources(
                                new EnvConfigSource(variables, 300),
                                new PropertiesConfigSource(properties, "test", 260)),
                warnings::add);
    }
}
