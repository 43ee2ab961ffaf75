package dev.kvstore.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagedProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void isReadyOnceTheQuestionIsAnsweredWithYes() throws Exception {
        Path sign = folder.resolve("sign");
        try (ManagedProcess process = shell("touch " + sign + "; exec sleep 600")) {
            Duration took = process.awaitReady(() -> Files.exists(sign), LIMIT);

            assertThat(took).isLessThan(LIMIT);
            assertThat(process.isAlive()).isTrue();
        }
    }

    @Test
    void showsTheEndOfTheLogWhenItDiesDuringTheStart() {
        try (ManagedProcess process = shell("echo early; echo the disk is on fire >&2; exit 3")) {
            assertThatThrownBy(() -> process.awaitReady(() -> false, LIMIT))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContainingAll("test process", "exit code 3", "the disk is on fire", "test.log");
        }
    }

    @Test
    void givesUpWhenItIsNotReadyInTime() {
        try (ManagedProcess process = shell("exec sleep 600")) {
            assertThatThrownBy(() -> process.awaitReady(() -> false, Duration.ofMillis(100)))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining("not ready");
        }
    }

    @Test
    void stopsInGoodOrder() throws Exception {
        Path sign = folder.resolve("sign");
        try (ManagedProcess process = shell("trap 'exit 7' TERM; touch " + sign + "; while :; do sleep 0.05; done")) {
            process.awaitReady(() -> Files.exists(sign), LIMIT);
            process.stop();

            assertThat(process.onExit()).succeedsWithin(LIMIT).isEqualTo(7);
        }
    }

    @Test
    void killsWithoutAsking() throws Exception {
        Path sign = folder.resolve("sign");
        try (ManagedProcess process = shell("trap '' TERM; touch " + sign + "; while :; do sleep 0.05; done")) {
            process.awaitReady(() -> Files.exists(sign), LIMIT);
            process.kill();

            assertThat(process.isAlive()).isFalse();
            assertThat(process.onExit()).succeedsWithin(LIMIT).isEqualTo(128 + 9);
        }
    }

    @Test
    void saysWhichProgramCannotBeRun() {
        assertThatThrownBy(() -> ManagedProcess.start(
                        "test process", List.of("/no/such/program"), Map.of(), folder.resolve("test.log")))
                .isInstanceOf(LaunchException.class)
                .hasMessageContainingAll("test process", "/no/such/program");
    }

    @Test
    void readsTheResidentMemoryWhereTheSystemTellsIt() throws Exception {
        Path status = Files.writeString(folder.resolve("status"), "Name:\tjava\nVmRSS:\t   2048 kB\nThreads:\t9\n");

        assertThat(Usage.residentBytes(status)).isEqualTo(2 << 20);
    }

    @Test
    void knowsNoResidentMemoryWhereTheSystemDoesNotTell() {
        assertThat(Usage.residentBytes(folder.resolve("missing"))).isZero();
    }

    private ManagedProcess shell(String script) {
        return ManagedProcess.start(
                "test process", List.of("sh", "-c", script), Map.of(), folder.resolve("logs/test.log"));
    }
}
