package dev.kvstore.dataplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a member says what, by no clock at all. */
final class MembershipStateTest {
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final MembershipState course = new MembershipState(new SplittableRandom(1));

    @Test
    void aProcessRegistersFirst() {
        assertThat(course.isMember()).isFalse();
    }

    @Test
    void aMemberRenewsItsLeaseALittleBeforeItIsAskedTo() {
        assertThat(course.registered(PERIOD)).isBetween(PERIOD.multipliedBy(9).dividedBy(10), PERIOD);
        assertThat(course.isMember()).isTrue();
        assertThat(course.renewed()).isBetween(PERIOD.multipliedBy(9).dividedBy(10), PERIOD);
    }

    @Test
    void membersThatJoinTogetherDoNotGoOnTogether() {
        assertThat(course.registered(PERIOD)).isNotEqualTo(course.renewed());
    }

    @Test
    void aPeriodThatIsNoneIsNoReasonToAskWithoutEnd() {
        assertThat(course.registered(Duration.ZERO)).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void aJoinerTriesEverLessOften() {
        Duration first = course.failed(Code.UNAVAILABLE);
        assertThat(first).isLessThanOrEqualTo(MembershipState.FIRST_PAUSE);
        for (int i = 0; i < 20; i++) {
            assertThat(course.failed(Code.DEADLINE_EXCEEDED)).isLessThanOrEqualTo(MembershipState.LONGEST_PAUSE);
        }
        assertThat(course.failed(Code.UNAVAILABLE)).isGreaterThanOrEqualTo(MembershipState.LONGEST_PAUSE.dividedBy(2));
    }

    @Test
    void aMemberTriesAtLeastOncePerPeriodHoweverLongTheControlPlaneIsAway() {
        course.registered(PERIOD);
        for (int i = 0; i < 100; i++) {
            assertThat(course.failed(Code.UNAVAILABLE)).isLessThanOrEqualTo(PERIOD);
            assertThat(course.isMember()).isTrue();
        }
    }

    @Test
    void anAnswerEndsThePauses() {
        course.registered(PERIOD);
        for (int i = 0; i < 10; i++) {
            course.failed(Code.UNAVAILABLE);
        }
        course.renewed();

        assertThat(course.failed(Code.UNAVAILABLE)).isLessThanOrEqualTo(MembershipState.FIRST_PAUSE);
    }

    @Test
    void whoLostItsLeaseRegistersAgainWithinASecond() {
        course.registered(PERIOD);

        assertThat(course.failed(Code.NOT_FOUND)).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(course.isMember()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED_PRECONDITION", "ALREADY_EXISTS", "INVALID_ARGUMENT", "UNAUTHENTICATED", "NOT_FOUND"})
    @Timeout(180)
    void whoIsRefusedTriesAgainSlowly(Code why) {
        assertThat(course.failed(why))
                .isBetween(MembershipState.REFUSED_PAUSE.dividedBy(2), MembershipState.REFUSED_PAUSE);
        assertThat(course.isMember()).isFalse();
    }
}
