package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.RoundsCommand.RoundPlan;
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

/** How cases of a limit are measured. */
class LimitSceneTest {
    private static final LimitScene.LimitsOptions OPTIONS = new LimitScene.LimitsOptions(
            List.of(Limit.WRITE),
            Path.of("."),
            List.of(1, 8),
            RoundPlan.ofSeconds(2, 3, 8),
            7,
            10_000,
            Duration.ZERO,
            false);

    private final List<String> done = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final LimitFindings findings = new LimitFindings();

    private LimitScene.LimitCase measured(String what, int clients) {
        return new LimitScene.LimitCase(what, clients, time -> {
            done.add(what + clients + " " + time.toSeconds() + " s");
            return Map.of(Quantity.P99, 2.0, Quantity.P50, 1.0);
        });
    }

    @Test
    void eachIsWarmedUpWhichDoesNotCountAndThenAllAreMeasuredInTurn() throws Exception {
        LimitScene scene = new LimitScene(
                new Home(Path.of(".")),
                Limit.WRITE,
                Path.of("."),
                OPTIONS,
                new Programs(Map.of()),
                findings,
                said::add,
                new BenchProgress(said::add, InstantSource.fixed(Instant.EPOCH)));

        scene.run(List.of(measured("ours", 1), measured("theirs", 8)));

        assertThat(done)
                .containsExactly("ours1 8 s", "theirs8 8 s", "ours1 3 s", "theirs8 3 s", "ours1 3 s", "theirs8 3 s");
        assertThat(said.getLast()).isEqualTo("6/6, 0 s left: round 2 of 2: theirs, 8 clients");
        assertThat(findings.all())
                .extracting(
                        LimitFindings.MeasuredCase::what,
                        LimitFindings.MeasuredCase::quantity,
                        LimitFindings.MeasuredCase::rounds)
                .containsExactly(
                        tuple("ours", Quantity.P50, List.of(1.0, 1.0)),
                        tuple("ours", Quantity.P99, List.of(2.0, 2.0)),
                        tuple("theirs", Quantity.P50, List.of(1.0, 1.0)),
                        tuple("theirs", Quantity.P99, List.of(2.0, 2.0)));
    }
}
