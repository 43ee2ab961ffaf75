package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.launcher.LaunchException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line and the output of wrk. */
class WrkTest {
    private static final String OUTPUT = """
            Running 3s test @ http://127.0.0.1:16000/0
              2 threads and 4 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency     2.31ms    1.12ms  21.17ms   91.20%
                Req/Sec     0.88k   120.11     1.10k    70.00%
              5261 requests in 3.01s, 5.88GB read
            Requests/sec:   1747.84
            Transfer/sec:      1.95GB
            """;

    @TempDir
    Path folder;

    @Test
    void asksForOneBlockAfterTheOther() throws Exception {
        Wrk wrk = Wrk.of("/usr/bin/wrk", folder, 128);

        assertThat(String.join(" ", wrk.command(16_000, 2, 20, 3)))
                .isEqualTo(
                        "/usr/bin/wrk -t 2 -c 20 -d 3s --timeout 60s -s " + wrk.script() + " http://127.0.0.1:16000/0");
        assertThat(Files.readString(wrk.script())).contains("for block = 0, 128 - 1 do", "last = (last + 1) % 128");
    }

    @Test
    void hasNoMoreThreadsThanClients() throws Exception {
        assertThat(Wrk.of("wrk", folder, 1).command(1, 2, 1, 1)).containsSequence("-t", "1", "-c", "1");
    }

    @Test
    void readsHowManyRequestsThereWere() {
        assertThat(Wrk.count(OUTPUT)).isEqualTo(new Wrk.WrkCount(5_261, 1_747.84));
    }

    @Test
    void anErrorOfTheServerIsAFlaw() {
        assertThatThrownBy(() -> Wrk.count(OUTPUT + "  Non-2xx or 3xx responses: 41\n"))
                .isInstanceOf(BadBlockException.class)
                .hasMessage("wrk: Non-2xx or 3xx responses: 41");
    }

    @Test
    void anErrorOfAConnectionIsAFlaw() {
        assertThatThrownBy(() -> Wrk.count("  Socket errors: connect 0, read 3, write 0, timeout 0\n" + OUTPUT))
                .isInstanceOf(BadBlockException.class)
                .hasMessageContaining("read 3");
    }

    @Test
    void noAnswerAtAllIsAFlaw() {
        assertThatThrownBy(() -> Wrk.count("  0 requests in 3.00s, 0.00B read\nRequests/sec:      0.00\n"))
                .isInstanceOf(BadBlockException.class)
                .hasMessage("wrk: no request was answered");
    }

    @Test
    void repeatsWhatItDoesNotUnderstand() {
        assertThatThrownBy(() -> Wrk.count("unable to connect to 127.0.0.1:1 Connection refused"))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("Connection refused");
    }
}
