package dev.kvstore.dataplane.storage.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.StoredContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that goes away under its store, as with the mount that it was: renaming it stands for that. */
final class VanishedFolderTest {
    private final MemoryPool memory = new MemoryPool(1 << 20, Duration.ZERO);

    @TempDir
    private Path parent;

    private Path folder;
    private Path away;
    private BlockStore store;

    @BeforeEach
    void open() throws Exception {
        folder = parent.resolve("not-there-yet/store");
        away = parent.resolve("away");
        store = FilesystemStore.open(folder, InstantSource.system());
        var _ = store.putIfAbsent("k/a", StoredContents.random(1, 10));
    }

    @Test
    void aFolderThatIsGoneIsNotMadeAnew() throws Exception {
        vanish();

        assertRefusesAll();
        assertThat(folder).doesNotExist();
    }

    @Test
    void theEmptyFolderBelowAMountIsNotTaken() throws Exception {
        vanish();
        Files.createDirectory(folder);

        assertRefusesAll();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatAnotherProcessMadeAnewIsNotTaken() throws Exception {
        vanish();
        BlockStore others = FilesystemStore.open(folder, InstantSource.system());

        assertRefusesAll();
        assertThat(others.list("", null, 10).blobs()).isEmpty();
    }

    @Test
    void goesOnOnceTheFolderIsBack() throws Exception {
        vanish();
        assertRefusesAll();

        Files.move(away, folder);

        assertThat(store.exists("k/a")).isTrue();
    }

    @Test
    void storesOnOneFolderKnowItByOneMark() throws Exception {
        BlockStore another = FilesystemStore.open(folder, InstantSource.system());

        assertThat(another.exists("k/a")).isTrue();
        try (var marks = Files.newDirectoryStream(folder, "place-*")) {
            assertThat(marks).hasSize(1);
        }
    }

    private void vanish() throws IOException {
        Files.move(folder, away);
    }

    private void assertRefusesAll() {
        List<ThrowingCallable> calls = List.of(
                () -> store.get("k/a", BlockStore.MAX_BLOB_BYTES, memory),
                () -> store.getRange("k/a", 0, 1, memory),
                () -> store.getIfChanged("k/a", "\"1\"", BlockStore.MAX_BLOB_BYTES, memory),
                () -> store.exists("k/a"),
                () -> store.isDurable("k/a"),
                () -> store.putIfAbsent("k/a", StoredContents.random(1, 10)),
                () -> store.putIfMatch("k/a", StoredContents.random(1, 10), "\"1\""),
                () -> store.deleteIfMatch("k/a", "\"1\""),
                () -> store.list("", null, 10));

        assertThat(calls)
                .allSatisfy(call -> assertThatExceptionOfType(StorageException.class)
                        .isThrownBy(call)
                        .withMessageContaining(": the folder " + folder + " is gone, or another one is in its place")
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE)));
    }
}
