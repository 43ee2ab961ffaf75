package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler.SaturationSample;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler.ScaleAction;
import org.junit.jupiter.api.Test;

/** Both autoscalers, sample by sample. */
class AutoscalerTest {
    private static SaturationSample saturated(double saturation) {
        return new SaturationSample(saturation, 0);
    }

    private static SaturationSample throughput(double tokensPerSecond) {
        return new SaturationSample(0, tokensPerSecond);
    }

    private static QosAutoscaler qos(int users) {
        return new QosAutoscaler(users, 0.8, WorkloadConfig.usual().autoscaler(), 1);
    }

    @Test
    void usersComeAsLongAsStorageCanTakeMore() {
        QosAutoscaler scaler = qos(20);

        assertThat(scaler.decide(saturated(0.1))).isEqualTo(ScaleAction.SCALE_UP);
        assertThat(scaler.users()).isEqualTo(24);
    }

    @Test
    void fewUsersBecomeMoreToo() {
        QosAutoscaler scaler = qos(2);
        scaler.decide(saturated(0));

        assertThat(scaler.users()).isEqualTo(3);
    }

    @Test
    void usersStayNearTheTarget() {
        QosAutoscaler scaler = qos(20);

        assertThat(scaler.decide(saturated(0.75))).isEqualTo(ScaleAction.HOLD);
        assertThat(scaler.decide(saturated(0.85))).isEqualTo(ScaleAction.HOLD);
    }

    @Test
    void oneSaturatedSampleTakesNobodyAwayTwoDo() {
        QosAutoscaler scaler = qos(20);

        assertThat(scaler.decide(saturated(1.5))).isEqualTo(ScaleAction.HOLD);
        assertThat(scaler.decide(saturated(1.5))).isEqualTo(ScaleAction.SCALE_DOWN);
        assertThat(scaler.users()).isEqualTo(16);
    }

    @Test
    void afterUsersWereTakenAwayThreeSamplesAreNotLookedAt() {
        QosAutoscaler scaler = qos(20);
        scaler.decide(saturated(1.5));
        scaler.decide(saturated(1.5));
        for (int i = 0; i < 3; i++) {
            assertThat(scaler.decide(saturated(0.1))).isEqualTo(ScaleAction.HOLD);
        }

        assertThat(scaler.decide(saturated(0.1))).isEqualTo(ScaleAction.SCALE_UP);
    }

    @Test
    void neverFewerThanTheFewestNorMoreThanTheMost() {
        QosAutoscaler few = new QosAutoscaler(1, 0.8, WorkloadConfig.usual().autoscaler(), 1);
        few.decide(saturated(2));
        QosAutoscaler many =
                new QosAutoscaler(10_000, 0.8, WorkloadConfig.usual().autoscaler(), 1);

        assertThat(few.decide(saturated(2))).isEqualTo(ScaleAction.HOLD);
        assertThat(many.decide(saturated(0))).isEqualTo(ScaleAction.HOLD);
    }

    @Test
    void capacityGrowsByTwoFifthsThenByFifths() {
        CapacityAutoscaler scaler =
                new CapacityAutoscaler(100, WorkloadConfig.usual().autoscaler());
        scaler.decide(throughput(10));
        assertThat(scaler.users()).isEqualTo(140);
        scaler.decide(throughput(11));
        assertThat(scaler.users()).isEqualTo(168);
    }

    @Test
    void capacityGrowsByFiveAtLeastAndByAHundredAtMost() {
        CapacityAutoscaler few =
                new CapacityAutoscaler(2, WorkloadConfig.usual().autoscaler());
        CapacityAutoscaler many =
                new CapacityAutoscaler(1_000, WorkloadConfig.usual().autoscaler());
        few.decide(throughput(10));
        many.decide(throughput(10));

        assertThat(few.users()).isEqualTo(7);
        assertThat(many.users()).isEqualTo(1_100);
    }

    @Test
    void capacityEndsWhenTwoSamplesWereNoBetterThanThePeak() {
        CapacityAutoscaler scaler =
                new CapacityAutoscaler(10, WorkloadConfig.usual().autoscaler());
        scaler.decide(throughput(100));

        assertThat(scaler.decide(throughput(100.5))).isEqualTo(ScaleAction.HOLD);
        assertThat(scaler.decide(throughput(100.5))).isEqualTo(ScaleAction.STOP);
        assertThat(scaler.peak()).isEqualTo(100);
        assertThat(scaler.peakUsers()).isEqualTo(10);
    }
}
