package dev.kvstore.control.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SysPropConfigSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link PlainValues}: what a user gives is taken as it is. */
class PlainValuesTest {
    private static final String NAME = "kvstore.plain-values-test";

    private static SmallRyeConfig config(Map<String, String> file) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredInterceptors()
                .withSources(new SysPropConfigSource(), new PropertiesConfigSource(file, "a file", 100))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pa$$w0rd12", "x${y}z12345", "a\\$b", "${", "$", "${kvstore.other:default}"})
    void aValueOfTheUserIsNotExpanded(String value) {
        System.setProperty(NAME, value);
        try {
            assertThat(config(Map.of()).getValue(NAME, String.class)).isEqualTo(value);
        } finally {
            System.clearProperty(NAME);
        }
    }

    @Test
    void theApplicationsOwnFilesMayRefer() {
        assertThat(config(Map.of("a", "${b:c}", "b", "d")).getValue("a", String.class))
                .isEqualTo("d");
    }
}
