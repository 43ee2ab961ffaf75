package dev.kvstore.dataplane.service;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallAdmission.CallSlot;
import dev.kvstore.testing.schedule.Schedules;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule slots that were taken come back, once. */
@Tag("slow")
final class CallAdmissionRacesTest {
    @Test
    void noMoreCallsRunThanThereAreSlots() {
        Schedules.explore(() -> {
            CallAdmission admission = admission(1, 10);
            AtomicInteger running = new AtomicInteger();

            race(() -> call(admission, running), () -> call(admission, running), () -> call(admission, running));

            assertNothingTaken(admission);
            assertThat(slot(admission).open()).isTrue();
        });
    }

    @Test
    void aCallThatEndsWhileItBeginsToRunLeavesNothing() {
        Schedules.explore(() -> {
            CallAdmission admission = admission(2, 2);
            CallSlot ending = slot(admission);
            assertThat(ending.open()).isTrue();

            race(
                    () -> {
                        if (ending.run() && ending.pause()) {
                            ending.resume();
                        }
                    },
                    ending::leave,
                    () -> {
                        CallSlot other = slot(admission);
                        if (other.open()) {
                            other.leave();
                        }
                    });

            assertNothingTaken(admission);
        });
    }

    @Test
    void tooManyIdleCallsEndWithoutATrace() {
        Schedules.explore(() -> {
            CallAdmission admission = admission(3, 1);

            race(() -> idle(admission, "a"), () -> idle(admission, "b"), () -> idle(admission, "b"));

            assertNothingTaken(admission);
        });
    }

    @Test
    void slotsBesideACallsOwnComeBack() {
        Schedules.explore(() -> {
            CallAdmission admission = admission(3, 2);
            CallSlot wide = slot(admission);
            assertThat(wide.open() && wide.run()).isTrue();

            race(() -> widen(wide), () -> widen(wide), () -> widen(wide));
            assertThat(admission.running()).isEqualTo(1);
            wide.leave();

            assertNothingTaken(admission);
        });
    }

    private static void call(CallAdmission admission, AtomicInteger running) {
        CallSlot slot = slot(admission);
        if (!slot.open()) {
            return;
        }
        if (slot.run()) {
            assertThat(running.incrementAndGet()).isEqualTo(1);
            running.decrementAndGet();
        }
        slot.leave();
    }

    /** A call of a party that runs, becomes idle, and goes on if it was not ended. */
    private static void idle(CallAdmission admission, String tenant) {
        CallSlot[] mine = new CallSlot[1];
        CallSlot slot = admission.place(Party.tenant(tenant), () -> mine[0].leave(), _ -> {});
        mine[0] = slot;
        if (slot.open()) {
            if (slot.run() && slot.pause()) {
                slot.run();
            }
            slot.leave();
        }
    }

    private static void widen(CallSlot slot) {
        CallSlot.@Nullable ExtraSlot extra = slot.widen();
        if (extra != null) {
            extra.close();
        }
    }

    private static CallSlot slot(CallAdmission admission) {
        return admission.place(Party.NOBODY, () -> {}, _ -> {});
    }

    private static CallAdmission admission(int limit, int waitingLimit) {
        return new CallAdmission(limit, waitingLimit, () -> 0, new SplittableRandom(1));
    }

    private static void assertNothingTaken(CallAdmission admission) {
        assertThat(admission.running()).isZero();
        assertThat(admission.waiting()).isZero();
        assertThat(admission.parties()).isZero();
        assertThat(admission.mostOfOneParty()).isZero();
    }
}
