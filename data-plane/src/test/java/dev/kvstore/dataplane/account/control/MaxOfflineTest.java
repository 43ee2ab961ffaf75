package dev.kvstore.dataplane.account.control;

import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.heard;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.notWatching;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.resolve;
import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Resolution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For how long an account is served without the control plane, if it says how long. */
@Tag("slow")
final class MaxOfflineTest {
    private static final String KEY = "kv_a1_secret";
    private static final String RESOURCE = "careful";
    private static final String USUAL = "usual";
    private static final Duration ALLOWED = Duration.ofMinutes(10);
    private static final Duration MOMENT = Duration.ofNanos(1);

    @TempDir
    private Path folder;

    private final ControlPlaneFixture fixture = new ControlPlaneFixture();
    private final ControlPlanePeer peer = fixture.peer();

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void anAccountIsServedForAsLongAsItSaysAndNoLongerWhileAnotherIsServedOn() {
        allow(ALLOWED);
        peer.grant(KEY, USUAL, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        resolve(resolver, KEY, USUAL);
        kill(resolver);

        assertServedFor(ALLOWED, resolver);
        assertThat(resolve(resolver, KEY, USUAL)).isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void whoIsRefusedForThatIsToldWhyAndWhatHelps() {
        allow(ALLOWED);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);

        fixture.advance(ALLOWED);

        assertThat(resolve(resolver, KEY, RESOURCE))
                .isEqualTo(new Resolution.Unanswered("this data plane has not reached the control plane for longer than"
                        + " the account allows (maxOfflineSeconds: 600); try again later, or use a data plane that"
                        + " reaches it"));
    }

    @Test
    void theTimeBeginsWhenTheLastWasHeard() {
        allow(ALLOWED);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        fixture.advance(ALLOWED.minusMinutes(1));
        heartbeat(resolver);
        kill(resolver);

        assertServedFor(ALLOWED, resolver);
    }

    @Test
    void anAccountThatSaysNoTimeIsServedUntilTheSilenceIsNoticed() {
        allow(Duration.ZERO);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);

        assertServedFor(ControlPlaneFixture.PATIENT.silence(), resolver);
    }

    @Test
    void anAccountThatSaysNoTimeIsServedWithoutAskingWhileTheControlPlaneIsHeard() {
        allow(Duration.ZERO);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        Duration half = ControlPlaneFixture.PATIENT.silence().dividedBy(2);

        fixture.advance(half);
        heartbeat(resolver);
        fixture.advance(half);

        assertThat(resolver.known(ControlPlaneFixture.credential(KEY), RESOURCE))
                .isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void aClockThatIsSetBackAddsNothing() {
        allow(ALLOWED);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);

        fixture.setClock(Duration.ofDays(-2));

        assertServedFor(ALLOWED, resolver);
    }

    @Test
    void theTimeGoesOnOverARestart() {
        allow(ALLOWED);
        ControlPlaneAccountResolver before = fixture.watching(folder);
        resolve(before, KEY, RESOURCE);
        kill(before);
        fixture.advance(ALLOWED.dividedBy(2));
        before.close();

        ControlPlaneAccountResolver after = restarted();

        assertServedFor(ALLOWED.dividedBy(2), after);
    }

    @Test
    void anAccountWhoseTimePassesDuringARestartIsNotServed() {
        allow(ALLOWED);
        ControlPlaneAccountResolver before = fixture.watching(folder);
        resolve(before, KEY, RESOURCE);
        before.close();
        peer.stop();
        fixture.advance(ALLOWED);

        assertThat(resolve(restarted(), KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void aShorterTimeHoldsFromWhenItIsHeard() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        heard(resolver, 1, () -> peer.allowOffline(RESOURCE, ALLOWED));
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);

        assertServedFor(ALLOWED, resolver);
    }

    @Test
    void anAccountIsServedAgainWhenTheControlPlaneIsBack() {
        allow(ALLOWED);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);
        fixture.advance(ALLOWED);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);

        peer.start();

        Awaitility.await().until(() -> resolve(resolver, KEY, RESOURCE) instanceof Resolution.Granted);
    }

    @Test
    void anAnswerServesWithoutAWatchForAsLongAsItsAccountSaysAndIsThenAskedForAgain() {
        allow(ALLOWED);
        peer.fallSilent();
        ControlPlaneAccountResolver resolver = fixture.open();
        resolve(resolver, KEY, RESOURCE);

        fixture.advance(ALLOWED);

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        assertThat(peer.resolves()).isEqualTo(2);
    }

    @Test
    void aControlPlaneThatDoesNotAnswerIsAskedOnceASecond() {
        allow(ALLOWED);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);
        fixture.advance(ALLOWED);

        for (int i = 0; i < 5; i++) {
            assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
        }
        assertThat(resolver.tally().resolves(ResolverCounters.QuestionOutcome.FAILED))
                .isEqualTo(1);

        fixture.advance(ResolverBounds.UNANSWERED);
        resolve(resolver, KEY, RESOURCE);
        assertThat(resolver.tally().resolves(ResolverCounters.QuestionOutcome.FAILED))
                .isEqualTo(2);
    }

    @Test
    void whoIsNotGrantedIsToldTheSameWhateverTheAccountSays() {
        allow(Duration.ZERO);
        ControlPlaneAccountResolver resolver = fixture.watching();
        heard(resolver, 1, () -> peer.revoke(KEY, RESOURCE));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.NotGranted.class);
        assertThat(resolve(resolver, KEY, "no-such")).isInstanceOf(Resolution.NotGranted.class);
        kill(resolver);

        fixture.advance(ALLOWED);

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.NotGranted.class);
        assertThat(resolve(resolver, KEY, "no-such")).isInstanceOf(Resolution.NotGranted.class);
    }

    /** The key may read the account, which may be served for so long. */
    private void allow(Duration offline) {
        peer.grant(KEY, RESOURCE, right(READ));
        peer.allowOffline(RESOURCE, offline);
    }

    private void assertServedFor(Duration time, ControlPlaneAccountResolver resolver) {
        fixture.advance(time.minus(MOMENT));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        fixture.advance(MOMENT);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    private void heartbeat(ControlPlaneAccountResolver resolver) {
        peer.heartbeat();
        Awaitility.await().until(() -> resolver.confirmedAge().orElseThrow().isZero());
    }

    private void kill(ControlPlaneAccountResolver resolver) {
        peer.stop();
        notWatching(resolver);
    }

    /** Another process with the same folder, with nobody to ask. */
    private ControlPlaneAccountResolver restarted() {
        return fixture.open(Optional.of(folder), ControlPlaneFixture.PATIENT, List.of(peer));
    }
}
