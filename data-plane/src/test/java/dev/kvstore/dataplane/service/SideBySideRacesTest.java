package dev.kvstore.dataplane.service;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallAdmission.CallSlot;
import dev.kvstore.testing.schedule.Schedules;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule each step of a call runs once, and its slots come back. */
@Tag("slow")
final class SideBySideRacesTest {
    private static final int STEPS = 4;
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

    @Test
    void eachStepRunsOnceBesideAnotherCall() {
        Schedules.explore(() -> {
            CallAdmission admission = new CallAdmission(3, 10, () -> 0, new SplittableRandom(1));
            CallSlot one = running(admission);
            CallSlot other = running(admission);

            race(() -> runAll(one), () -> runAll(other));

            assertThat(admission.running()).isEqualTo(2);
            one.leave();
            other.leave();
            assertThat(admission.running()).isZero();
            assertThat(admission.parties()).isZero();
        });
    }

    @Test
    void aStepThatFailsEndsTheCallWhenNoStepRunsAnyMore() {
        Schedules.explore(() -> {
            CallAdmission admission = new CallAdmission(3, 10, () -> 0, new SplittableRandom(1));
            CallSlot one = running(admission);

            assertThatThrownBy(() -> SideBySide.run(STEPS, 2, one, THREADS, step -> {
                        if (step == 1) {
                            throw new IllegalStateException("step 1");
                        }
                    }))
                    .hasMessage("step 1");

            assertThat(admission.running()).isEqualTo(1);
        });
    }

    private static void runAll(CallSlot slot) throws Exception {
        AtomicIntegerArray runs = new AtomicIntegerArray(STEPS);
        SideBySide.run(STEPS, 3, slot, THREADS, runs::incrementAndGet);
        for (int step = 0; step < STEPS; step++) {
            assertThat(runs.get(step)).isEqualTo(1);
        }
    }

    private static CallSlot running(CallAdmission admission) {
        CallSlot slot = admission.place(Party.NOBODY, () -> {}, _ -> {});
        assertThat(slot.open() && slot.run()).isTrue();
        return slot;
    }
}
