package dev.kvstore.dataplane.storage.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.BlockStoreContract;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.StoredContents;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class FilesystemStoreTest extends BlockStoreContract {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    @TempDir
    Path folder;

    private Path root = Path.of("not opened yet");

    @Override
    protected BlockStore newStore() throws Exception {
        root = folder.resolve(UUID.randomUUID().toString());
        return FilesystemStore.open(root, InstantSource.system());
    }

    @Override
    protected void putBehindTheStore(String name, int length) throws Exception {
        BlobFiles.putZeros(root, name, length);
    }

    @Test
    void keepsBlobsWhenItIsOpenedAgain() throws Exception {
        Path shared = folder.resolve("shared");
        PutResult put =
                FilesystemStore.open(shared, InstantSource.system()).putIfAbsent("a/b", StoredContents.random(1, 10));

        store = FilesystemStore.open(shared, InstantSource.system());

        assertThat(read("a/b")).isEqualTo(StoredContents.random(1, 10));
        assertThat(store.deleteIfMatch("a/b", ((PutResult.Stored) put).etag())).isTrue();
    }

    @Test
    void letsOneWriterWinAmongStoresOnOneDirectory() throws Exception {
        Path shared = folder.resolve("shared");
        store = FilesystemStore.open(shared, InstantSource.system());
        List<BlockStore> stores = List.of(store, FilesystemStore.open(shared, InstantSource.system()));

        List<PutResult> puts =
                StoredContents.together(16, i -> stores.get(i % 2).putIfAbsent("a", StoredContents.random(i, 1000)));
        assertThat(puts).filteredOn(PutResult.Stored.class::isInstance).hasSize(1);
        String etag = puts.stream()
                .filter(PutResult.Stored.class::isInstance)
                .map(put -> ((PutResult.Stored) put).etag())
                .findFirst()
                .orElseThrow();

        List<PutResult> swaps = StoredContents.together(
                16, i -> stores.get(i % 2).putIfMatch("a", StoredContents.random(i, 1000), etag));
        assertThat(swaps).filteredOn(PutResult.Stored.class::isInstance).hasSize(1);
    }

    @Test
    void leavesNoTemporaryFileBehind() throws Exception {
        String etag = put("a", StoredContents.random(1, 10));
        store.putIfAbsent("a", StoredContents.random(2, 10));
        store.putIfMatch("a", StoredContents.random(3, 10), etag);
        store.putIfMatch("a", StoredContents.random(4, 10), etag);

        assertThat(root.resolve("temporary")).isEmptyDirectory();
    }

    @Test
    void neverListsAHalfWrittenBlob() throws Exception {
        Files.write(root.resolve("temporary/half"), new byte[10]);

        assertThat(store.list("", null, 10).names()).isEmpty();
    }

    @Test
    void removesHalfWrittenBlobsThatAreOldAtStart() throws Exception {
        Instant now = Instant.parse("2026-01-01T12:00:00Z");
        Path old = half(root, "old", now.minus(TemporaryFiles.STALE).minusSeconds(1));
        Path young = half(root, "young", now.minus(TemporaryFiles.STALE).plusSeconds(1));

        FilesystemStore.open(root, InstantSource.fixed(now)).close();

        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    @Test
    void neverOpensAPipe() throws Exception {
        assertRefuses(pipe(blobFile()));
    }

    @Test
    void refusesAFolderInABlobsPlace() throws Exception {
        assertRefuses(Files.createDirectory(blobFile()));
    }

    @Test
    void followsNoSymbolicLink() throws Exception {
        Path elsewhere = Files.write(folder.resolve("elsewhere"), new byte[10]);
        assertRefuses(Files.createSymbolicLink(blobFile(), elsewhere));
    }

    @Test
    void followsNoSymbolicLinkToNowhere() throws Exception {
        assertRefuses(Files.createSymbolicLink(blobFile(), folder.resolve("nowhere")));
    }

    @Test
    void stopsNoOtherStoreWhenItHangs() throws Exception {
        BlockStore hanging = FilesystemStore.open(root, InstantSource.system(), new DiskThreads(8, PATIENCE));
        Path lock = pipe(root.resolve("locks/33")); // of the name "a"
        store = newStore();

        List<String> answers = StoredContents.together(
                16,
                i -> i % 2 == 0
                        ? deleting(hanging)
                        : store.putIfAbsent("a/" + i, StoredContents.random(i, 1000))
                                .getClass()
                                .getSimpleName());

        assertThat(answers).filteredOn(answer -> answer.equals("Stored")).hasSize(8);
        assertThat(answers)
                .filteredOn(answer ->
                        answer.equals("blob a: the file system does not answer within " + PATIENCE.toMillis() + " ms"))
                .hasSize(8);

        // A thread that waits for a reader of the pipe goes on, and fails.
        try (FileChannel _ = FileChannel.open(lock, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(hanging.exists("a")).isFalse());
        }
    }

    /** Or as many tries to open folders of a disk that hangs as there are threads would stop all other folders. */
    @Test
    void isOpenedOnThreadsOfItsOwn() throws Exception {
        DiskThreads busy = new DiskThreads(1, PATIENCE);
        CountDownLatch hangs = new CountDownLatch(1);
        DiskThreads.DiskWork<Boolean> waits = () -> {
            try {
                hangs.await();
                return true;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        assertThat(catchThrowable(() -> busy.run("a disk that hangs", null, waits)))
                .isNotNull();

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> FilesystemStore.open(folder.resolve("other"), InstantSource.system(), busy))
                .withMessageContaining("the file system does not answer");
        hangs.countDown();
    }

    private static String deleting(BlockStore hanging) {
        return String.valueOf(assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> hanging.deleteIfMatch("a", "\"1\""))
                .actual()
                .getMessage());
    }

    private Path blobFile() {
        return BlobFiles.file(root, "a");
    }

    private static Path pipe(Path path) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        return path;
    }

    /** Each of these made every listing fail, or go on for ever. */
    @Test
    void listsPastWhatIsNoBlob() throws Exception {
        put("k/a", StoredContents.random(1, 1));
        put("k/z", StoredContents.random(1, 1));
        Path blobs = root.resolve("blobs/k");
        Files.write(blobs.resolve("a file without a mark"), new byte[1]);
        Files.write(blobs.resolve("b"), new byte[1]);
        Files.createDirectories(blobs.resolve("a folder+"));
        Files.createSymbolicLink(blobs.resolve("c"), blobs);
        Files.createSymbolicLink(blobs.resolve("d+"), blobs.resolve("a+"));

        assertThat(store.list("", null, 10).names()).containsExactly("k/a", "k/z");
    }

    @Test
    void holdsNoMoreNamesOfAFolderThanAPageHas() throws Exception {
        Path blobs = Files.createDirectories(root.resolve("blobs/k"));
        for (int i = 0; i < 300; i++) {
            Files.createDirectory(blobs.resolve("a%05d".formatted(i)));
        }
        put("k/z", StoredContents.random(1, 1));
        Files.createDirectories(blobs.resolve("y/y/y"));

        assertThat(store.list("k/", null, 5000).names()).containsExactly("k/z");
        assertThat(new TreeWalk(new BlobTree(root.resolve("blobs"), new RealFiles()), "k/", null, 10)
                        .page()
                        .names())
                .containsExactly("k/z");
    }

    private void assertRefuses(Path file) {
        List<ThrowingCallable> calls = List.of(
                () -> store.get("a", BlockStore.MAX_BLOB_BYTES, memory),
                () -> store.getRange("a", 0, 1, memory),
                () -> store.getIfChanged("a", "\"1\"", BlockStore.MAX_BLOB_BYTES, memory),
                () -> store.exists("a"),
                () -> store.putIfAbsent("a", StoredContents.random(1, 10)),
                () -> store.putIfMatch("a", StoredContents.random(1, 10), "\"1\""),
                () -> store.deleteIfMatch("a", "\"1\""));

        assertThat(calls)
                .allSatisfy(call -> assertThatExceptionOfType(StorageException.class)
                        .isThrownBy(call)
                        .withMessageContaining("blob a: ")
                        .withMessageContaining(file + ": is not a regular file")
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE)));
        assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void saysThatItMayNotWrite() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("missing: a user other than root, whom permissions bind")
                .isNotEqualTo("root");
        Files.setPosixFilePermissions(root.resolve("temporary"), PosixFilePermissions.fromString("r-xr-xr-x"));

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.putIfAbsent("a", StoredContents.random(1, 10)))
                .withMessageContaining("a: access denied")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FORBIDDEN));
    }

    @Test
    void saysThatADirectoryIsNone() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> FilesystemStore.open(file, InstantSource.system()))
                .withMessageContaining(file.toString())
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    }

    private static Path half(Path root, String name, Instant modified) throws Exception {
        Path file = Files.write(root.resolve("temporary").resolve(name), new byte[10]);
        return Files.setLastModifiedTime(file, FileTime.from(modified));
    }
}
