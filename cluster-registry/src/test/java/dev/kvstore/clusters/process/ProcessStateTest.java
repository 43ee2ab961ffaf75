package dev.kvstore.clusters.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.member.MemberView;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The state of a process by its lease and by who wants it to drain. */
class ProcessStateTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static MemberView member(Instant leaseEnd, boolean draining) {
        return new MemberView(
                "instance",
                "a:1",
                "1",
                draining,
                NOW,
                NOW,
                leaseEnd,
                new Capacity(1, 1, 0, 0, 1),
                MemberView.Load.of(Load.NONE));
    }

    @Test
    void whoHasNotJoinedIsAbsentEvenIfAnOperatorDrainsIt() {
        assertThat(ProcessState.of(false, null, NOW)).isEqualTo(ProcessState.ABSENT);
        assertThat(ProcessState.of(true, null, NOW)).isEqualTo(ProcessState.ABSENT);
    }

    @Test
    void aLeaseServesUntilItsEndAndNotAtIt() {
        assertThat(ProcessState.of(false, member(NOW.plusNanos(1), false), NOW)).isEqualTo(ProcessState.SERVING);
        assertThat(ProcessState.of(false, member(NOW, false), NOW)).isEqualTo(ProcessState.LAPSED);
    }

    @Property(tries = 200)
    void whoHoldsALeaseServesUnlessSomebodyDrainsIt(
            @ForAll boolean drained, @ForAll boolean draining, @ForAll @LongRange(min = -5, max = 5) long nanos) {
        ProcessState state = ProcessState.of(drained, member(NOW.plusNanos(nanos), draining), NOW);

        assertThat(state)
                .isEqualTo(
                        nanos <= 0
                                ? ProcessState.LAPSED
                                : drained || draining ? ProcessState.DRAINING : ProcessState.SERVING);
    }
}
