package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import org.junit.jupiter.api.Test;

/** The output of fio. */
class FioOutputTest {
    @Test
    void saysHowFastItWas() {
        String said = "fio: file hash not empty on exit\n"
                + "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"read\", \"read\": {\"bw_bytes\": 1500000000}}]}";

        assertThat(FioOutput.bytesPerSecond(said, "read")).isEqualTo(1.5e9);
    }

    @Test
    void whatItSaysInsteadIsTold() {
        assertThatThrownBy(() -> FioOutput.bytesPerSecond("fio: direct not supported\n", "read"))
                .isInstanceOf(LaunchException.class)
                .hasMessage("fio does not say how fast it was: fio: direct not supported");
        assertThatThrownBy(() -> FioOutput.bytesPerSecond("{\"jobs\": []}", "read"))
                .hasMessage("fio does not say how fast it was: {\"jobs\": []}");
    }
}
