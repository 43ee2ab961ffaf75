package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Noise}, {@link Stolen}, {@link MachineFacts}: what else went on. */
class NoiseTest {
    @Test
    void aMachineWithLittleToDoIsQuiet() {
        Noise noise = Noise.of(0.4, 1.9, 0.01, 2);

        assertThat(noise.quiet()).isTrue();
        assertThat(noise.sentence()).isEqualTo("The machine was quiet before the run, with a load of 0.40.");
    }

    @Test
    void aBusyMachineIsNot() {
        Noise noise = Noise.of(1.8, 3.5, 0.071, 2);

        assertThat(noise.quiet()).isFalse();
        assertThat(noise.sentence())
                .startsWith(
                        "The machine was not quiet: in the minute before the run, 1.8 threads on average wanted its 2"
                                + " processors; during the run, other machines on the same hardware had 7 % of its processors' time.");
    }

    @Test
    void aMachineThatDoesNotTellIsNotCalledQuiet() {
        assertThat(Noise.of(-1, -1, -1, 2).sentence()).startsWith("Whether the machine was quiet is not known");
    }

    @Test
    void stolenTimeIsToldAsAShareOfAll() {
        Stolen before = Stolen.of("cpu  100 0 50 800 10 0 5 35 0 0");
        Stolen after = Stolen.of("cpu  150 0 75 1000 10 0 5 60 0 0");

        assertThat(after.shareSince(before)).isEqualTo(25.0 / 300);
    }

    @Test
    void whatIsNoAccountOfProcessorTimeTellsNothing() {
        assertThat(Stolen.of("intr 1 2 3").shareSince(Stolen.of(""))).isEqualTo(-1);
    }

    @Test
    void aProcessorIsNamedByItsModel() {
        assertThat(MachineFacts.model(
                        List.of("processor\t: 0", "model name\t: AMD EPYC 7763", "model name\t: other"), "amd64"))
                .isEqualTo("AMD EPYC 7763");
    }

    @Test
    void aProcessorWithoutAModelIsNamedByItsArchitecture() {
        assertThat(MachineFacts.model(List.of("processor\t: 0", "BogoMIPS\t: 50.00"), "aarch64"))
                .isEqualTo("aarch64");
    }
}
