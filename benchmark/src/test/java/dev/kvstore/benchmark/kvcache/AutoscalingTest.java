package dev.kvstore.benchmark.kvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --enable-autoscaling} from flags to JSON. */
@Tag("slow")
class AutoscalingTest {
    private static final String FLAGS =
            "--model tiny-1b --num-users 10 --duration 4 --warmup 0 --tiers null --generation-mode none"
                    + " --seed 42 --enable-autoscaling --autoscaler-interval 1 ";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** With more workers than users nobody would wait, however slow the tier is. */
    @Test
    void thereAreAsManyWorkersAsUsers() throws IOException {
        CommandTrial trial = CommandTrial.of(
                folder,
                FLAGS.replace("--tiers null", "--tiers gpu-sim,null") + "--gpu-bandwidth-gbs 0.001 --drain 0"
                        + " --target-saturation 0.01");

        assertThat(trial.err()).containsPattern("10 users, [0-9]+ requests answered, 10 in work, [1-9][0-9]* waiting");
    }

    private JsonNode summary(String flags) throws IOException {
        CommandTrial trial = CommandTrial.of(folder, FLAGS + flags);
        assertThat(trial.exitCode()).as(trial.out() + trial.err()).isZero();
        return trial.results().path("summary");
    }

    @Test
    void usersComeToATierThatIsFast() throws IOException {
        JsonNode scaling = summary("").path("autoscaling_summary");

        assertThat(scaling.path("initial_users").asInt()).isEqualTo(10);
        assertThat(scaling.path("final_users").asInt()).isGreaterThan(10);
    }

    @Test
    void newUsersSendRequests() throws IOException {
        long alone = CommandTrial.of(folder, FLAGS.replace("--enable-autoscaling", ""))
                .own()
                .path("requests_arrived")
                .asLong();

        assertThat(summary("--target-saturation 1")
                        .at("/kvstore/requests_arrived")
                        .asLong())
                .isGreaterThan(alone + alone / 20);
    }

    @Test
    void asTheOriginalUsersStay() throws IOException {
        long alone = CommandTrial.of(folder, FLAGS.replace("--enable-autoscaling", "--compat"))
                .own()
                .path("requests_arrived")
                .asLong();
        JsonNode summary = summary("--compat");

        assertThat(summary.at("/autoscaling_summary/total_scale_events").asInt())
                .isPositive();
        assertThat(summary.at("/kvstore/requests_arrived").asLong()).isBetween(alone - 5, alone + 5);
    }

    @Test
    void theModeCapacityEndsTheRunWhenItGetsNoBetter() throws IOException {
        CommandTrial trial =
                CommandTrial.of(folder, FLAGS + "--autoscaler-mode capacity --duration 60 --num-users 500");
        JsonNode summary = trial.results().path("summary");

        assertThat(trial.out()).containsPattern("Peak capacity: 500 users,\\s+[0-9.]+\\s+tokens/s\\.");
        assertThat(summary.path("elapsed_time").asDouble()).isLessThan(50);
        assertThat(summary.at("/autoscaling_summary/peak_user_count").asInt()).isEqualTo(500);
    }
}
