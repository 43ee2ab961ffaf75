package dev.kvstore.dataplane.account.control;

import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.credential;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.heard;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.notWatching;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.resolve;
import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static dev.kvstore.protocol.control.v1.Right.Access.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.KeyStanding;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.StorageLocation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The answers that are asked for, kept and forgotten while the control plane is there. */
@Tag("slow")
final class ControlPlaneAccountResolverTest {
    private static final String KEY = "kv_a1_secret";
    private static final String RESOURCE = "demo";

    private final ControlPlaneFixture fixture = new ControlPlaneFixture();
    private final ControlPlanePeer peer = fixture.peer();

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void whatTheControlPlaneGrantsIsGranted() {
        peer.grant(KEY, RESOURCE, right(READ), right(WRITE, "p"));

        Resolution resolution = resolve(fixture.watching(), KEY, RESOURCE);

        assertThat(resolution).isInstanceOfSatisfying(Resolution.Granted.class, granted -> {
            assertThat(granted.keyId()).isEqualTo("a1");
            assertThat(granted.account().resourceName()).isEqualTo(RESOURCE);
            assertThat(granted.account().tenant()).isEqualTo("tenant");
            assertThat(granted.account().storage())
                    .isEqualTo(new StorageLocation.Filesystem(Path.of("/storage/of/demo")));
            assertThat(granted.rights().everywhere(Access.READ)).isTrue();
            assertThat(granted.rights().everywhere(Access.WRITE)).isFalse();
            assertThat(granted.rights().in("p", Access.WRITE)).isTrue();
        });
    }

    @Test
    void anotherSecretUnderTheSameIdIsAnotherKey() {
        peer.grant(KEY, RESOURCE, right(READ));

        assertThat(resolve(fixture.watching(), "kv_a1_guess", RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
    }

    @Test
    void theHolderOfAKeyThatHasExpiredIsToldSoAlsoFromMemory() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();

        heard(resolver, 1, () -> peer.expire(KEY));

        assertThat(resolve(resolver, KEY, RESOURCE)).isEqualTo(new Resolution.UnknownKey(true));
        assertThat(resolve(resolver, KEY, RESOURCE)).isEqualTo(new Resolution.UnknownKey(true));
        assertThat(resolver.standing(credential(KEY))).isEqualTo(KeyStanding.EXPIRED);
        assertThat(resolve(resolver, "kv_a1_guess", RESOURCE)).isEqualTo(new Resolution.UnknownKey(false));
        assertThat(resolver.standing(credential("kv_a1_guess"))).isEqualTo(KeyStanding.UNKNOWN);
    }

    @Test
    void aStorageThatHasNotPassedATrialIsToldOf() {
        peer.grant(KEY, RESOURCE, right(READ));
        peer.unready(RESOURCE);

        assertThat(resolve(fixture.watching(), KEY, RESOURCE)).isEqualTo(new Resolution.NotGranted(true));
    }

    @Test
    void whatIsKnownIsNotAskedAgain() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        resolve(resolver, KEY, "others");

        for (int i = 0; i < 1_000; i++) {
            assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
            assertThat(resolve(resolver, KEY, "others")).isInstanceOf(Resolution.NotGranted.class);
        }

        assertThat(peer.resolves()).isEqualTo(2);
    }

    @Test
    void whoMustNotWaitIsToldOnlyWhatIsKnown() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();

        assertThat(resolver.known(credential(KEY), RESOURCE)).isNull();
        assertThat(peer.resolves()).isZero();
        resolve(resolver, KEY, RESOURCE);
        assertThat(resolver.known(credential(KEY), RESOURCE)).isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void whatIsToBeRefreshedIsAskedAgain() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        resolver.refresh();

        assertThat(resolver.count()).isZero();
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        assertThat(peer.resolves()).isEqualTo(2);
    }

    @Test
    void manyWhoAskTheSameAreOneQuestion() throws Exception {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        Semaphore gate = peer.holdAnswers();
        List<CompletableFuture<Resolution>> asking = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asking.add(asking(resolver));
        }
        peer.awaitAnswers(1);
        gate.release(1_000);

        for (CompletableFuture<Resolution> one : asking) {
            assertThat(one.get(60, TimeUnit.SECONDS)).isInstanceOf(Resolution.Granted.class);
        }
        assertThat(peer.resolves()).isEqualTo(1);
    }

    private static CompletableFuture<Resolution> asking(ControlPlaneAccountResolver resolver) {
        CompletableFuture<Resolution> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> answer.complete(resolve(resolver, KEY, RESOURCE)));
        return answer;
    }

    @Test
    void aKeyThatEndsIsUnknownFromWhenThatIsHeard() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        heard(resolver, 1, () -> peer.revokeKey(KEY));

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
        assertThat(resolver.standing(credential(KEY))).isEqualTo(KeyStanding.UNKNOWN);
    }

    @Test
    void aGrantThatIsTakenBackIsGoneFromWhenThatIsHeard() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        heard(resolver, 1, () -> peer.revoke(KEY, RESOURCE));

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.NotGranted.class);
        assertThat(resolver.standing(credential(KEY))).isNotEqualTo(KeyStanding.UNKNOWN);
    }

    @Test
    void aKeyThatIsMadeIsKnownFromWhenThatIsHeard() {
        ControlPlaneAccountResolver resolver = fixture.watching();
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);

        heard(resolver, 2, () -> peer.grant(KEY, RESOURCE, right(READ)));

        assertThat(resolver.standing(credential(KEY))).isNotEqualTo(KeyStanding.UNKNOWN);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void anUnknownKeyIsAskedAboutAgainAfterAWhile() {
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        fixture.advance(ResolverBounds.UNKNOWN.minusNanos(1));
        assertThat(resolve(resolver, KEY, "another")).isInstanceOf(Resolution.UnknownKey.class);
        assertThat(peer.resolves()).isEqualTo(1);

        fixture.advance(Duration.ofNanos(1));

        assertThat(resolver.standing(credential(KEY))).isNotEqualTo(KeyStanding.UNKNOWN);
        resolve(resolver, KEY, RESOURCE);
        assertThat(peer.resolves()).isEqualTo(2);
    }

    @Test
    void anAnswerThatAChangeHasOvertakenIsNotBelieved() throws Exception {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        Semaphore gate = peer.holdAnswers();
        CompletableFuture<Resolution> asked = asking(resolver);
        peer.awaitAnswers(1); // "granted", and on its way
        heard(resolver, 1, () -> peer.revoke(KEY, RESOURCE));

        gate.release(1_000);

        assertThat(asked.get(60, TimeUnit.SECONDS)).isInstanceOf(Resolution.NotGranted.class);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.NotGranted.class);
        assertThat(peer.resolves()).isEqualTo(2);
    }

    @Test
    void anAnswerIsRenewedBesideTheCallThatUsesIt() throws Exception {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        peer.endQuietly(KEY);
        fixture.advance(ResolverBounds.REFRESH.minusNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        assertThat(peer.resolves()).isEqualTo(1);
        Semaphore gate = peer.holdAnswers();
        fixture.advance(Duration.ofNanos(1));

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);

        gate.release(1_000);
        Awaitility.await().until(() -> resolver.standing(credential(KEY)) == KeyStanding.UNKNOWN);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
        assertThat(peer.resolves()).isEqualTo(2);
    }

    @Test
    void rightsEndByTheLocalClock() {
        peer.grant(
                KEY, RESOURCE, right(READ), ControlPlanePeer.until(WRITE, ControlPlaneFixture.START.plusSeconds(10)));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        fixture.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(mayWrite(resolver)).isTrue();
        fixture.advance(Duration.ofNanos(1));
        assertThat(mayWrite(resolver)).isFalse();
        assertThat(peer.resolves()).isEqualTo(1);
    }

    private static boolean mayWrite(ControlPlaneAccountResolver resolver) {
        return resolve(resolver, KEY, RESOURCE) instanceof Resolution.Granted granted
                && granted.rights().everywhere(Access.WRITE);
    }

    @Test
    void whoeverHasNoRightLeftHasNoGrantWhateverTheControlPlanesClockSays() {
        peer.grant(KEY, RESOURCE, ControlPlanePeer.until(READ, ControlPlaneFixture.START.plusSeconds(10)));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        fixture.advance(Duration.ofSeconds(10));

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.NotGranted.class);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.NotGranted.class);
        assertThat(peer.resolves()).as("asked once more when it had ended").isEqualTo(2);
    }

    @Test
    void whetherAKeyHasEndedOrWhatItWasGrantedTheControlPlaneIsAsked() {
        peer.grant(KEY, RESOURCE, ControlPlanePeer.until(READ, ControlPlaneFixture.START.plusSeconds(10)));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        peer.endQuietly(KEY);

        fixture.advance(Duration.ofSeconds(10));

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
    }

    @Test
    void guessedKeysKeepNoKnownOneFromBeingAskedAbout() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = ControlPlaneFixture.watching(
                fixture.open(Optional.empty(), ControlPlaneFixture.patient(2), List.of(peer)));
        resolve(resolver, KEY, RESOURCE);
        Semaphore gate = peer.holdAnswers();
        for (int i = 0; i < 10; i++) {
            String guess = "kv_guess" + i + "_x";
            Thread.ofVirtual().start(() -> resolve(resolver, guess, RESOURCE));
        }
        Awaitility.await().until(() -> peer.resolves() == 1 + 2);

        Thread.ofVirtual().start(() -> resolve(resolver, KEY, "others"));

        Awaitility.await().until(() -> peer.resolves() == 1 + 2 + 1);
        gate.release(1_000);
    }

    @Test
    void guessedKeysAndResourcesPushNobodyOut() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        for (int i = 0; i < 500; i++) {
            resolve(resolver, "kv_guess" + i + "_x", RESOURCE);
            resolve(resolver, "kv_a1_guess" + i, RESOURCE);
            resolve(resolver, KEY, "guess" + i);
        }
        int asked = peer.resolves();

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        assertThat(peer.resolves()).isEqualTo(asked);
        assertThat(resolver.count()).isEqualTo(1);
    }

    @Test
    void aResetForgetsEverything() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        peer.endQuietly(KEY);

        peer.forgetEverything();

        Awaitility.await().until(() -> resolver.count() == 0);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
    }

    @Test
    void aResetCountsChangesAnew() {
        peer.grant(KEY, RESOURCE, right(READ));
        peer.skip(1_000);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);

        peer.restore(10);
        Awaitility.await().until(() -> resolver.tally().changes() == 1);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        heard(resolver, 1, () -> peer.revokeKey(KEY));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);

        peer.stop();
        notWatching(resolver);
        peer.start();
        ControlPlaneFixture.watching(resolver);
        assertThat(peer.watches().getLast().getSince()).isEqualTo(11);
    }

    @Test
    void anAnswerFromBeforeAResetIsNotBelieved() throws Exception {
        peer.grant(KEY, RESOURCE, right(READ));
        peer.skip(1_000);
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, "others");
        Semaphore gate = peer.holdAnswers();
        CompletableFuture<Resolution> asked = asking(resolver);
        peer.awaitAnswers(2); // the second is "granted", and on its way
        peer.endQuietly(KEY);
        peer.restore(10);
        Awaitility.await().until(() -> resolver.tally().changes() == 1);

        gate.release(1_000);

        assertThat(asked.get(60, TimeUnit.SECONDS)).isInstanceOf(Resolution.UnknownKey.class);
    }

    @Test
    void whatWasAnsweredBeforeAnythingWasHeardIsForgottenWhenItIs() {
        peer.grant(KEY, RESOURCE, right(READ));
        peer.fallSilent();
        ControlPlaneAccountResolver resolver =
                fixture.open(Optional.empty(), ControlPlaneFixture.PATIENT, List.of(peer));
        resolve(resolver, KEY, RESOURCE);
        assertThat(resolver.count()).isEqualTo(1);
        peer.endQuietly(KEY);

        peer.stop();
        peer.speakAgain();
        peer.start();

        ControlPlaneFixture.watching(resolver);
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
    }

    @Test
    void withoutAJoinTokenNothingIsKnown() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver =
                fixture.open(Optional.empty(), ControlPlaneFixture.PATIENT, List.of(peer), "another-token");
        notWatching(resolver);

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
        assertThat(resolver.flaw().orElseThrow()).startsWith("UNAUTHENTICATED").doesNotContain("another-token");
        assertThat(resolver.isUseful()).isFalse();
    }
}
