package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.launcher.Home;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In which order things are measured. */
class LimitRoundsTest {
    private final List<String> done = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final LimitFindings findings = new LimitFindings();

    private static final LimitsOptions OPTIONS = new LimitsOptions(
            List.of(Limit.WRITE),
            Path.of("."),
            List.of(1, 8),
            Duration.ofSeconds(8),
            Duration.ofSeconds(3),
            2,
            7,
            10_000,
            Duration.ZERO,
            false);

    private LimitCase measured(String what, int clients) {
        return new LimitCase(what, clients, time -> {
            done.add(what + clients + " " + time.toSeconds() + " s");
            return Map.of(Quantity.P99, 2.0, Quantity.P50, 1.0);
        });
    }

    private void run(LimitCase... cases) throws Exception {
        LimitScene scene = new LimitScene(
                new Home(Path.of(".")),
                Limit.WRITE,
                Path.of("."),
                OPTIONS,
                new Programs(Map.of()),
                findings,
                new BenchProgress(said::add, InstantSource.fixed(Instant.EPOCH)),
                LimitRounds.steps(OPTIONS, cases.length));
        LimitRounds.run(scene, List.of(cases));
    }

    @Test
    void eachIsWarmedUpAndThenAllAreMeasuredInTurn() throws Exception {
        run(measured("ours", 1), measured("theirs", 1), measured("ours", 8), measured("theirs", 8));

        assertThat(done)
                .containsExactly(
                        "ours1 8 s",
                        "theirs1 8 s",
                        "ours8 8 s",
                        "theirs8 8 s",
                        "ours1 3 s",
                        "theirs1 3 s",
                        "ours8 3 s",
                        "theirs8 3 s",
                        "ours1 3 s",
                        "theirs1 3 s",
                        "ours8 3 s",
                        "theirs8 3 s");
        assertThat(said.getLast()).isEqualTo("12/12, 0 s left: write: round 2 of 2: theirs, 8 clients");
    }

    @Test
    void warmingUpDoesNotCount() throws Exception {
        run(measured("ours", 1));

        assertThat(findings.all())
                .extracting(MeasuredCase::quantity, MeasuredCase::rounds)
                .containsExactly(tuple(Quantity.P50, List.of(1.0, 1.0)), tuple(Quantity.P99, List.of(2.0, 2.0)));
    }
}
