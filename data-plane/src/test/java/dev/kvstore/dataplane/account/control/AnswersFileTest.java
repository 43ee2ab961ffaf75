package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.protocol.control.v1.Account;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Granted;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.Right;
import dev.kvstore.protocol.control.v1.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AnswersFileTest {
    static final SecretKey KEY = OwnSecret.of(new JoinToken("a-token-of-tests")).derive("tests");

    private static final Instant ASKED = Instant.parse("2026-01-01T00:00:00Z");
    private static final ClockMoment NOW = new ClockMoment(ASKED.plusSeconds(60), 7_000_000_000_000L);
    private static final ResolutionSubject SUBJECT =
            new ResolutionSubject(new Credential("a1", "0f".repeat(32)), "demo");

    @TempDir
    private Path folder;

    @Test
    void whatIsSavedIsLoaded() throws IOException {
        AnswersFile file = file("here");
        file.save(snapshot());

        ResolutionCache.ResolutionSnapshot loaded = file.load(NOW).orElseThrow();

        assertThat(loaded.heard()).isEqualTo(7);
        assertThat(loaded.confirmed())
                .isEqualTo(new ClockMoment(
                        ASKED.plusSeconds(5),
                        NOW.nanos() - Duration.ofSeconds(55).toNanos()));
        assertThat(loaded.granted()).containsOnlyKeys(SUBJECT);
        assertThat(loaded.granted().values()).singleElement().satisfies(answer -> {
            assertThat(answer.asked())
                    .isEqualTo(new ClockMoment(
                            ASKED, NOW.nanos() - Duration.ofSeconds(60).toNanos()));
            assertThat(answer.response()).isEqualTo(response());
            assertThat(answer.at(ASKED)).isInstanceOf(Resolution.Granted.class);
        });
    }

    @Test
    void withoutAFileThereIsNothing() throws IOException {
        assertThat(file("here").load(NOW)).isEmpty();
    }

    @Test
    void everyFlippedBitAndEveryCutIsNoticed() throws IOException {
        AnswersFile file = file("here");
        file.save(snapshot());
        byte[] whole = Files.readAllBytes(file.path());

        for (int i = 0; i < whole.length; i++) {
            byte[] flipped = whole.clone();
            flipped[i] ^= (byte) (1 << (i % 8));
            Files.write(file.path(), flipped);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> file.load(NOW))
                    .withMessageContaining("damaged");
            Files.write(file.path(), Arrays.copyOf(whole, i));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> file.load(NOW))
                    .withMessageContaining("damaged");
        }
    }

    @Test
    void answersForAnotherRegionAreOfNoUse() throws IOException {
        file("here").save(snapshot());

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> file("there").load(NOW))
                .withMessage("is of region \"here\", not \"there\"");
    }

    @Test
    void aSaveThatWasCutShortIsInNobodysWay() throws IOException {
        Files.writeString(folder.resolve("accounts-node.new"), "half");

        file("here").save(snapshot());

        assertThat(file("here").load(NOW)).isPresent();
        assertThat(folder.resolve("accounts-node.new")).doesNotExist();
    }

    @Test
    void timesThatAreYetToComeAreNotBelieved() throws IOException {
        file("here").save(snapshot());
        ClockMoment earlier = new ClockMoment(ASKED.minusSeconds(1), 0);

        ResolutionCache.ResolutionSnapshot loaded = file("here").load(earlier).orElseThrow();

        assertThat(loaded.confirmed()).isNull();
        assertThat(loaded.granted().values())
                .extracting(CachedResolution::asked)
                .containsExactly(earlier);
    }

    @Test
    void noMoreIsWrittenThanIsReadAgain() throws IOException {
        Map<ResolutionSubject, CachedResolution> many = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            many.put(
                    new ResolutionSubject(SUBJECT.credential(), "demo" + i),
                    CachedResolution.of(SUBJECT, response(), new ClockMoment(ASKED, 0)));
        }
        AnswersFile small = new AnswersFile(folder.resolve("accounts-node"), "here", () -> KEY, 4_000);

        int left = small.save(new ResolutionCache.ResolutionSnapshot(7, null, many));

        assertThat(left).isBetween(1, 99);
        assertThat(Files.size(small.path())).isLessThanOrEqualTo(4_000);
        assertThat(small.load(NOW).orElseThrow().granted()).hasSize(100 - left);
        assertThat(small.load(NOW).orElseThrow().confirmed()).isNull();
    }

    private AnswersFile file(String region) {
        return new AnswersFile(folder.resolve("accounts-node"), region, () -> KEY);
    }

    private static ResolutionCache.ResolutionSnapshot snapshot() {
        return new ResolutionCache.ResolutionSnapshot(
                7,
                new ClockMoment(ASKED.plusSeconds(5), 0),
                Map.of(SUBJECT, CachedResolution.of(SUBJECT, response(), new ClockMoment(ASKED, 0))));
    }

    private static ResolveResponse response() {
        return ResolveResponse.newBuilder()
                .setChange(6)
                .setGranted(Granted.newBuilder()
                        .setAccount(Account.newBuilder()
                                .setResourceName("demo")
                                .setTenant("tenant")
                                .setStorage(Storage.newBuilder()
                                        .setFilesystem(
                                                FilesystemStorage.newBuilder().setPath("/somewhere"))))
                        .addRights(Right.newBuilder().setAccess(Right.Access.READ)))
                .build();
    }
}
