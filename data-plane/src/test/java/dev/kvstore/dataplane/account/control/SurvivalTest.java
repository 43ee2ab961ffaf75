package dev.kvstore.dataplane.account.control;

import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.credential;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.heard;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.notWatching;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.resolve;
import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.KeyStanding;
import dev.kvstore.dataplane.account.Resolution;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that go on when the control plane has gone, and over a restart. */
@Tag("slow")
final class SurvivalTest {
    private static final String KEY = "kv_a1_secret";
    private static final String RESOURCE = "demo";

    @TempDir
    private Path folder;

    private final ControlPlaneFixture fixture = new ControlPlaneFixture();
    private final ControlPlanePeer peer = fixture.peer();

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void whatIsKnownGoesOnForADayAndNoLonger() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);

        fixture.advance(ResolverBounds.SURVIVAL.minusNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        fixture.advance(Duration.ofNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void theDayBeginsWhenTheLastWasHeard() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        fixture.advance(Duration.ofHours(20));
        peer.heartbeat();
        Awaitility.await().until(() -> resolver.confirmedAge().orElseThrow().isZero());
        kill(resolver);

        fixture.advance(ResolverBounds.SURVIVAL.minusNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        fixture.advance(Duration.ofNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void aClockThatIsSetBackAddsNothingToTheDay() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching();
        resolve(resolver, KEY, RESOURCE);
        kill(resolver);

        fixture.setClock(Duration.ofDays(-2));
        fixture.advance(ResolverBounds.SURVIVAL.minusNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        fixture.advance(Duration.ofNanos(1));
        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void aClockThatWasSetBackOverARestartAddsNoMoreThanOneDay() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver before = fixture.watching(folder);
        resolve(before, KEY, RESOURCE);
        before.close();
        peer.stop();
        fixture.setClock(Duration.ofDays(-30));

        ControlPlaneAccountResolver after = restarted();

        assertThat(after.confirmedAge()).isEmpty();
        fixture.advance(ResolverBounds.SURVIVAL.minusNanos(1));
        assertThat(resolve(after, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
        fixture.advance(Duration.ofNanos(1));
        assertThat(resolve(after, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void whatIsNotKnownIsLetInAndNotAnswered() {
        ControlPlaneAccountResolver resolver = fixture.watching();
        kill(resolver);

        assertThat(resolver.standing(credential(KEY))).isNotEqualTo(KeyStanding.UNKNOWN);
        assertThat(resolve(resolver, KEY, RESOURCE))
                .isInstanceOfSatisfying(
                        Resolution.Unanswered.class,
                        answer -> assertThat(answer.reason()).contains("the control plane does not answer"));
    }

    @Test
    void whatWasRevokedStaysRevokedWhenItGoesAwayRightThen() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching(folder);
        resolve(resolver, KEY, RESOURCE);
        heard(resolver, 1, () -> peer.revokeKey(KEY));
        kill(resolver);

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
        assertThat(resolve(restarted(), KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void whatIsKnownIsKnownAfterARestartWithoutAControlPlane() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver before = fixture.watching(folder);
        Resolution granted = resolve(before, KEY, RESOURCE);
        before.close();
        peer.stop();

        ControlPlaneAccountResolver after = restarted();

        assertThat(after.isUseful()).isTrue();
        assertThat(resolve(after, KEY, RESOURCE)).isInstanceOfSatisfying(Resolution.Granted.class, again -> {
            assertThat(again.account()).isEqualTo(((Resolution.Granted) granted).account());
            assertThat(again.rights().everywhere(Access.READ)).isTrue();
        });
        assertThat(resolve(after, KEY, "others")).isInstanceOf(Resolution.Unanswered.class);
        fixture.advance(ResolverBounds.SURVIVAL);
        assertThat(resolve(after, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void whatIsLearntIsOnDiskWhileTheProcessRuns() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver running = fixture.watching(folder);
        resolve(running, KEY, RESOURCE);
        Awaitility.await().until(() -> Files.exists(folder.resolve("accounts-node")));
        kill(running);

        assertThat(resolve(restarted(), KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void theFileIsItsOwnersAndHasNoKey() throws IOException {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver before = fixture.watching(folder);
        resolve(before, KEY, RESOURCE);
        before.close();

        Path file = folder.resolve("accounts-node");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                .doesNotContain("secret", ControlPlanePeer.TOKEN);
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void changesMissedWhileItWasDownAreHeardOfAfterARestart() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver before = fixture.watching(folder);
        resolve(before, KEY, RESOURCE);
        before.close();
        peer.revokeKey(KEY);

        ControlPlaneAccountResolver after = fixture.watching(folder);

        assertThat(resolve(after, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
    }

    @Test
    void aDamagedFileIsAsGoodAsNone() throws IOException {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver before = fixture.watching(folder);
        resolve(before, KEY, RESOURCE);
        before.close();
        peer.stop();
        Path file = folder.resolve("accounts-node");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        ControlPlaneAccountResolver after = restarted();

        assertThat(after.isUseful()).isFalse();
        assertThat(resolve(after, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void aFileThatWasWrittenWithoutTheJoinTokenGrantsNothing() {
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver before = fixture.watching(folder);
        resolve(before, KEY, RESOURCE);
        before.close();
        peer.stop();

        ControlPlaneAccountResolver after =
                fixture.open(Optional.of(folder), ControlPlaneFixture.PATIENT, List.of(peer), "another-token");

        assertThat(after.isUseful()).isFalse();
        assertThat(resolve(after, KEY, RESOURCE)).isInstanceOf(Resolution.Unanswered.class);
    }

    @Test
    void aFolderThatIsGoneStopsNobody() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        peer.grant(KEY, RESOURCE, right(READ));
        ControlPlaneAccountResolver resolver = fixture.watching(gone);
        resolve(resolver, KEY, RESOURCE);
        Awaitility.await().until(() -> Files.exists(gone.resolve("accounts-node")));
        Files.move(gone, folder.resolve("elsewhere")); // at once: it may be about to be written to again

        heard(resolver, 1, () -> peer.revokeKey(KEY));

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.UnknownKey.class);
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
