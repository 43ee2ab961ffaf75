package dev.kvstore.dataplane.account.control;

import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.resolve;
import static dev.kvstore.dataplane.account.control.ControlPlaneFixture.watching;
import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Resolution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A join token that is replaced in its file while the data plane runs. */
@Tag("slow")
final class TokenRotationTest {
    private static final String KEY = "kv_a1_secret";
    private static final String RESOURCE = "demo";

    @TempDir
    private Path folder;

    private final ControlPlaneFixture fixture = new ControlPlaneFixture();
    private final ControlPlanePeer peer = fixture.peer();
    private Path file = Path.of("set-below");

    @BeforeEach
    void letTheFirstIn() throws IOException {
        file = Files.writeString(folder.resolve("token"), "first");
        peer.letIn("first");
        peer.grant(KEY, RESOURCE, right(READ));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private ControlPlaneAccountResolver open() {
        return fixture.open(
                Optional.of(folder),
                ControlPlaneFixture.PATIENT,
                List.of(peer),
                FollowedToken.of(Optional.of(file), Map.of()));
    }

    @Test
    void aCallThatIsRefusedIsMadeAgainWithTheNewOne() throws IOException {
        ControlPlaneAccountResolver resolver = watching(open());
        peer.letIn("second");
        Files.writeString(file, "second");

        assertThat(resolve(resolver, KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
    }

    @Test
    void whatChangesIsHeardOfAgainAfterTheOldOneWasRevoked() throws IOException {
        ControlPlaneAccountResolver resolver = watching(open());
        peer.letIn("second");
        peer.stop();
        peer.start();
        ControlPlaneFixture.notWatching(resolver);

        Files.writeString(file, "second");

        assertThat(watching(resolver).flaw()).isEmpty();
    }

    @Test
    void theFileOfAnswersIsReadAfterARestartThatKnowsOnlyTheNewOne() throws IOException {
        FollowedToken token = FollowedToken.of(Optional.of(file), Map.of());
        ControlPlaneAccountResolver before =
                watching(fixture.open(Optional.of(folder), ControlPlaneFixture.PATIENT, List.of(peer), token));
        resolve(before, KEY, RESOURCE);
        Path answers = folder.resolve("accounts-node");
        Awaitility.await().until(() -> Files.exists(answers));
        byte[] underTheFirst = Files.readAllBytes(answers);

        Files.writeString(file, "second");
        token.poll();
        Awaitility.await().until(() -> !java.util.Arrays.equals(underTheFirst, Files.readAllBytes(answers)));
        // As if it were killed: what it writes at its end is not what the next one reads.
        byte[] underTheSecond = Files.readAllBytes(answers);
        before.close();
        Files.write(answers, underTheSecond);
        peer.stop();

        assertThat(resolve(open(), KEY, RESOURCE)).isInstanceOf(Resolution.Granted.class);
    }
}
