package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.protocol.control.v1.Account;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Granted;
import dev.kvstore.protocol.control.v1.NotGranted;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.control.v1.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the file is written, which is whole and durable each time and so costs. */
final class ResolutionFileWriterTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private final AtomicLong ticker = new AtomicLong();
    private final AtomicReference<SecretKey> key = new AtomicReference<>(AnswersFileTest.KEY);
    private final ResolutionCache answers = new ResolutionCache(ControlPlaneFixture.PATIENT);
    private AnswersFile file = new AnswersFile(Path.of("set-below"), "here", () -> AnswersFileTest.KEY);
    private ResolutionFileWriter keeper = new ResolutionFileWriter(answers, null, ticker::get);

    @BeforeEach
    void open() {
        file = new AnswersFile(folder.resolve("accounts-node"), "here", key::get);
        keeper = new ResolutionFileWriter(answers, file, ticker::get);
        answers.confirm(now());
    }

    @Test
    void underANewKeyItIsWrittenAnewAtOnceAndOnce() throws IOException {
        keep("a", granted(Right.Access.READ));
        keeper.tick();
        Object first = version();

        key.set(OwnSecret.of(new JoinToken("the-next-token")).derive("tests"));
        keeper.tick();
        Object second = version();
        keeper.tick();

        assertThat(second).isNotEqualTo(first);
        assertThat(version()).isEqualTo(second);
        assertThat(file.load(now()).orElseThrow().granted()).hasSize(1);
    }

    @Test
    void theFirstAnswerIsWrittenAtOnceAndLaterOnesTogether() throws IOException {
        keep("a", granted(Right.Access.READ));
        keeper.tick();
        Object first = version();

        keep("b", granted(Right.Access.READ));
        advance(ResolutionFileWriter.PAUSE.minusNanos(1));
        keeper.tick();
        assertThat(version()).isEqualTo(first);
        keep("c", granted(Right.Access.READ));
        advance(Duration.ofNanos(1));
        keeper.tick();

        assertThat(version()).isNotEqualTo(first);
        assertThat(known()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void anAnswerThatSaysWhatWasKnownWritesNothing() throws IOException {
        keep("a", granted(Right.Access.READ));
        keeper.tick();
        Object first = version();

        advance(Duration.ofSeconds(30));
        keep("a", granted(Right.Access.READ));
        keeper.tick();

        assertThat(version()).isEqualTo(first);
        assertThat(Objects.requireNonNull(answers.get(subject("a"))).asked()).isEqualTo(now());
    }

    @Test
    void anAnswerThatSaysLessIsWrittenAtOnce() throws IOException {
        keep("a", granted(Right.Access.WRITE));
        keep("b", granted(Right.Access.WRITE));
        keeper.tick();

        keep("a", ResolveResponse.newBuilder().setNotGranted(NotGranted.getDefaultInstance()));
        keep("b", granted(Right.Access.READ));
        keeper.tick();

        assertThat(known()).containsExactly("b");
        assertThat(file.load(now()).orElseThrow().granted().get(subject("b")))
                .satisfies(answer -> assertThat(Objects.requireNonNull(answer)
                                .response()
                                .getGranted()
                                .getRights(0)
                                .getAccess())
                        .isEqualTo(Right.Access.READ));
    }

    @Test
    void whatIsForgottenIsGoneFromTheFileBeforeAnythingElseHappens() throws IOException {
        keep("a", granted(Right.Access.READ));
        keep("b", granted(Right.Access.READ));
        keeper.tick();

        forget("a");

        assertThat(known()).containsExactly("b");
    }

    @Test
    void whatIsForgottenAndWasNotThereWritesNothing() throws IOException {
        keep("a", granted(Right.Access.READ));
        keeper.tick();
        Object first = version();
        keep("b", granted(Right.Access.READ));

        forget("b");
        forget("never-seen");

        assertThat(version()).isEqualTo(first);
    }

    @Test
    void whatMemoryHasNoMoreAndTheFileStillHasIsForgottenThere() throws IOException {
        keep("a", granted(Right.Access.READ));
        keeper.tick();
        ResolutionCache later = new ResolutionCache(ControlPlaneFixture.PATIENT);
        ResolutionFileWriter restarted = new ResolutionFileWriter(later, file, ticker::get);
        restarted.load(now());
        ChangedSubjects changed = new ChangedSubjects(Set.of(), Set.of("a"));
        later.forget(1, changed);

        restarted.forgotten(changed::touches);

        assertThat(known()).isEmpty();
    }

    @Test
    void aConfirmationIsWrittenOnceAMinute() throws IOException {
        keep("a", granted(Right.Access.READ));
        keeper.tick();
        Object first = version();

        advance(ResolutionFileWriter.STALE);
        answers.confirm(now());
        keeper.tick();
        assertThat(version()).isEqualTo(first);
        advance(Duration.ofMillis(1));
        answers.confirm(now());
        keeper.tick();

        assertThat(file.load(now()).orElseThrow().confirmed()).isEqualTo(now());
    }

    private void forget(String resourceName) {
        ChangedSubjects changed = new ChangedSubjects(Set.of(), Set.of(resourceName));
        answers.forget(1, changed);
        keeper.forgotten(changed::touches);
    }

    private void keep(String resourceName, ResolveResponse.Builder response) {
        ResolutionFlight flight = answers.join(new ResolutionFlight(subject(resourceName)));
        boolean kept = answers.keep(flight, CachedResolution.of(flight.subject(), response.build(), now()));
        answers.end(flight);
        assertThat(kept).isTrue();
    }

    private static ResolveResponse.Builder granted(Right.Access access) {
        return ResolveResponse.newBuilder()
                .setGranted(Granted.newBuilder()
                        .setAccount(Account.newBuilder()
                                .setResourceName("demo")
                                .setStorage(Storage.newBuilder()
                                        .setFilesystem(
                                                FilesystemStorage.newBuilder().setPath("/somewhere"))))
                        .addRights(Right.newBuilder().setAccess(access)));
    }

    private static ResolutionSubject subject(String resourceName) {
        return new ResolutionSubject(new Credential("k1", "0f".repeat(32)), resourceName);
    }

    private Set<String> known() throws IOException {
        return file.load(now()).orElseThrow().granted().keySet().stream()
                .map(ResolutionSubject::resourceName)
                .collect(Collectors.toSet());
    }

    /** Another one for each time the file is written. */
    private Object version() throws IOException {
        return Files.readAttributes(file.path(), BasicFileAttributes.class).fileKey();
    }

    private ClockMoment now() {
        return new ClockMoment(START.plusNanos(ticker.get()), ticker.get());
    }

    private void advance(Duration time) {
        ticker.addAndGet(time.toNanos());
    }
}
