package dev.kvstore.dataplane.account.control;

import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.resolve;
import static dev.kvstore.dataplane.account.control.ControlPlanePeer.until;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Resolution;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keys and grants end by the database's clock, on machines whose own clock is wrong. */
final class ServiceClockTest {
    private static final String KEY = "kv_a1_secret";
    private static final String RESOURCE = "demo";
    private static final Duration WRONG = Duration.ofHours(2);
    private static final Duration LEFT = Duration.ofSeconds(20);

    private final ControlPlaneFixture fixture = new ControlPlaneFixture();
    private final ControlPlanePeer peer = fixture.peer();

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** A resolver whose machine is off the database's clock by so much, and a key that ends soon. */
    private ControlPlaneAccountResolver off(Duration by) {
        Instant database = ControlPlaneFixture.START.minus(by);
        peer.say(database);
        peer.grant(KEY, RESOURCE, until(READ, database.plus(LEFT)));
        return fixture.watching();
    }

    @Test
    void aKeyEndsInTimeOnAMachineWhoseClockIsBehind() {
        ControlPlaneAccountResolver resolver = off(WRONG.negated());
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);

        fixture.advance(LEFT);
        peer.say(ControlPlaneFixture.START.plus(WRONG).plus(LEFT));

        assertThat(resolve(resolver, KEY, RESOURCE)).isNotInstanceOf(Resolution.Granted.class);
    }

    @Test
    void aKeyIsGoodToItsEndOnAMachineWhoseClockIsAhead() {
        ControlPlaneAccountResolver resolver = off(WRONG);

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        fixture.advance(LEFT.minusNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void aClockThatIsSetWhileTheProcessRunsChangesNothing() {
        ControlPlaneAccountResolver resolver = off(Duration.ZERO);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);

        fixture.setClock(WRONG);

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void theDatabasesClockMayBeSetBack() {
        ServiceClock clock = new ServiceClock(() -> ControlPlaneFixture.START, () -> 0);
        clock.heard(ControlPlaneFixture.START.plus(WRONG));

        clock.heard(ControlPlaneFixture.START);

        assertThat(clock.get().time()).isEqualTo(ControlPlaneFixture.START);
    }

    @Test
    void aMessageThatComesLateMovesNothingBack() {
        ServiceClock clock = new ServiceClock(() -> ControlPlaneFixture.START, () -> 0);
        clock.heard(ControlPlaneFixture.START.plus(WRONG));

        clock.heard(ControlPlaneFixture.START.plus(WRONG).minus(ServiceClock.LATE));

        assertThat(clock.get().time()).isEqualTo(ControlPlaneFixture.START.plus(WRONG));
    }
}
