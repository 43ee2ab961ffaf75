package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler.ScaleAction;
import org.junit.jupiter.api.Test;

/** Both autoscalers, sample by sample. */
class AutoscalerTest {
    private static Autoscaler.Qos qos(int users) {
        return new Autoscaler.Qos(users, 0.8, WorkloadConfig.usual().autoscaler(), 1);
    }

    @Test
    void usersComeAsLongAsStorageCanTakeMore() {
        Autoscaler.Qos scaler = qos(20);

        assertThat(scaler.decide(0.1, 0)).isEqualTo(ScaleAction.SCALE_UP);
        assertThat(scaler.users()).isEqualTo(24);
    }

    @Test
    void fewUsersBecomeMoreToo() {
        Autoscaler.Qos scaler = qos(2);
        scaler.decide(0, 0);

        assertThat(scaler.users()).isEqualTo(3);
    }

    @Test
    void usersStayNearTheTarget() {
        Autoscaler.Qos scaler = qos(20);

        assertThat(scaler.decide(0.75, 0)).isEqualTo(ScaleAction.HOLD);
        assertThat(scaler.decide(0.85, 0)).isEqualTo(ScaleAction.HOLD);
    }

    @Test
    void oneSaturatedSampleTakesNobodyAwayTwoDo() {
        Autoscaler.Qos scaler = qos(20);

        assertThat(scaler.decide(1.5, 0)).isEqualTo(ScaleAction.HOLD);
        assertThat(scaler.decide(1.5, 0)).isEqualTo(ScaleAction.SCALE_DOWN);
        assertThat(scaler.users()).isEqualTo(16);
    }

    @Test
    void afterUsersWereTakenAwayThreeSamplesAreNotLookedAt() {
        Autoscaler.Qos scaler = qos(20);
        scaler.decide(1.5, 0);
        scaler.decide(1.5, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(scaler.decide(0.1, 0)).isEqualTo(ScaleAction.HOLD);
        }

        assertThat(scaler.decide(0.1, 0)).isEqualTo(ScaleAction.SCALE_UP);
    }

    @Test
    void neverFewerThanTheFewestNorMoreThanTheMost() {
        Autoscaler.Qos few = new Autoscaler.Qos(1, 0.8, WorkloadConfig.usual().autoscaler(), 1);
        few.decide(2, 0);
        Autoscaler.Qos many =
                new Autoscaler.Qos(10_000, 0.8, WorkloadConfig.usual().autoscaler(), 1);

        assertThat(few.decide(2, 0)).isEqualTo(ScaleAction.HOLD);
        assertThat(many.decide(0, 0)).isEqualTo(ScaleAction.HOLD);
    }

    @Test
    void capacityGrowsByTwoFifthsThenByFifths() {
        Autoscaler.CapacitySearch scaler =
                new Autoscaler.CapacitySearch(100, WorkloadConfig.usual().autoscaler());
        scaler.decide(0, 10);
        assertThat(scaler.users()).isEqualTo(140);
        scaler.decide(0, 11);
        assertThat(scaler.users()).isEqualTo(168);
    }

    @Test
    void capacityGrowsByFiveAtLeastAndByAHundredAtMost() {
        Autoscaler.CapacitySearch few =
                new Autoscaler.CapacitySearch(2, WorkloadConfig.usual().autoscaler());
        Autoscaler.CapacitySearch many =
                new Autoscaler.CapacitySearch(1_000, WorkloadConfig.usual().autoscaler());
        few.decide(0, 10);
        many.decide(0, 10);

        assertThat(few.users()).isEqualTo(7);
        assertThat(many.users()).isEqualTo(1_100);
    }

    @Test
    void capacityEndsWhenTwoSamplesWereNoBetterThanThePeak() {
        Autoscaler.CapacitySearch scaler =
                new Autoscaler.CapacitySearch(10, WorkloadConfig.usual().autoscaler());
        scaler.decide(0, 100);

        assertThat(scaler.decide(0, 100.5)).isEqualTo(ScaleAction.HOLD);
        assertThat(scaler.decide(0, 100.5)).isEqualTo(ScaleAction.STOP);
        assertThat(scaler.peak()).isEqualTo(100);
        assertThat(scaler.peakUsers()).isEqualTo(10);
    }
}
