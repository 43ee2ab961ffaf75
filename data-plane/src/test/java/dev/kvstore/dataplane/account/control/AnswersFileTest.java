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
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AnswersFileTest {
    private static final Instant ASKED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Subject SUBJECT = new Subject(new Credential("a1", "0f".repeat(32)), "demo");

    @TempDir
    private Path folder;

    @Test
    void whatIsSavedIsLoaded() throws IOException {
        AnswersFile file = file("here");
        file.save(snapshot());

        Answers.Snapshot loaded = file.load().orElseThrow();

        assertThat(loaded.heard()).isEqualTo(7);
        assertThat(loaded.confirmed()).isEqualTo(ASKED.plusSeconds(5));
        assertThat(loaded.granted()).containsOnlyKeys(SUBJECT);
        assertThat(loaded.granted().values()).singleElement().satisfies(answer -> {
            assertThat(answer.asked()).isEqualTo(ASKED);
            assertThat(answer.response()).isEqualTo(response());
            assertThat(answer.at(ASKED)).isInstanceOf(Resolution.Granted.class);
        });
    }

    @Test
    void withoutAFileThereIsNothing() throws IOException {
        assertThat(file("here").load()).isEmpty();
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
            assertThatExceptionOfType(IOException.class).isThrownBy(file::load).withMessageContaining("damaged");
            Files.write(file.path(), Arrays.copyOf(whole, i));
            assertThatExceptionOfType(IOException.class).isThrownBy(file::load).withMessageContaining("damaged");
        }
    }

    @Test
    void answersForAnotherRegionAreOfNoUse() throws IOException {
        file("here").save(snapshot());

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(file("there")::load)
                .withMessage("is of region \"here\", not \"there\"");
    }

    @Test
    void aSaveThatWasCutShortIsInNobodysWay() throws IOException {
        Files.writeString(folder.resolve("accounts-node.new"), "half");

        file("here").save(snapshot());

        assertThat(file("here").load()).isPresent();
        assertThat(folder.resolve("accounts-node.new")).doesNotExist();
    }

    private AnswersFile file(String region) {
        return new AnswersFile(folder.resolve("accounts-node"), region);
    }

    private static Answers.Snapshot snapshot() {
        return new Answers.Snapshot(7, ASKED.plusSeconds(5), Map.of(SUBJECT, Answer.of(SUBJECT, response(), ASKED)));
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
