package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.launcher.Home;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageLatencyTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            get=20ms,put=40ms | 20    | 40
            put=1s            | 0     | 1000
            get=60s           | 60000 | 0
            ''                | 0     | 0
            """)
    void isReadInMillisecondsOrSeconds(String text, long get, long put) {
        assertThat(StorageLatency.parse(text))
                .isEqualTo(new StorageLatency(Duration.ofMillis(get), Duration.ofMillis(put)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"20ms", "get=", "get=20", "get=-1ms", "list=1ms", "get=1ms,get=2ms", "get=1ms,", "put=61s"})
    void isRefusedIfItIsNone(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StorageLatency.parse(text))
                .withMessage(
                        "--added-storage-latency: cannot be \"%s\"; give one or both of get and put, each 0ms to 60s, as in"
                                + " get=20ms,put=40ms",
                        text);
    }

    @Test
    void comesToADataPlaneAsItsSettingBesideTheOthers() {
        StackOptions options = StackOptions.onFreePorts(new Home(Path.of("home")), Path.of("folder"))
                .withSettings(Map.of("KVSTORE_MEMORY_TIER_SIZE", "1G"))
                .withStorageLatency(StorageLatency.parse("put=1s,get=5ms"));

        assertThat(options.settings())
                .isEqualTo(Map.of(
                        "KVSTORE_MEMORY_TIER_SIZE", "1G", "KVSTORE_ADDED_STORAGE_LATENCY", "get=5ms,put=1000ms"));
    }

    @Test
    void isNoSettingIfThereIsNone() {
        StackOptions options = StackOptions.onFreePorts(new Home(Path.of("home")), Path.of("folder"))
                .withStorageLatency(StorageLatency.NONE);

        assertThat(options.settings()).isEmpty();
    }
}
