package dev.kvstore.dataplane.storage.filesystem;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.LentContent;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.ScratchFolders;
import dev.kvstore.dataplane.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import org.jspecify.annotations.Nullable;

/** Processes on one directory whose power goes at any moment, which a kill does not show: it keeps the page cache. */
@Tag("slow")
final class PowerCutTest {
    private static final int TRIES = 2_000;
    private static final List<String> NAMES = List.of("a/x", "a/b/y", "c/d/z");
    private static final int MOST_OPERATIONS = 4;
    private static final int STEPS_PER_OPERATION = 12;
    private static final int MOST_BYTES = 2_000;

    private final Path base = ScratchFolders.folder("power-cut");
    private final Path live = base.resolve("live");
    private final Path left = base.resolve("left");
    private final MemoryPool pool = new MemoryPool(1 << 20, Duration.ZERO);
    private final Map<String, History> histories = new HashMap<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** The contents that a name stood for, in turn, and the first one that must have survived. */
    private static final class History {
        private final List<byte @Nullable []> contents = new ArrayList<>();
        private int certain;

        History() {
            contents.add(null);
        }

        int latest() {
            return contents.size() - 1;
        }

        void certain(int index) {
            certain = Math.max(certain, index);
        }

        /** From this content on, it is certain that a blob was there. */
        void certainlyThereSince(int from) {
            certain(IntStream.rangeClosed(from, latest())
                    .filter(i -> contents.get(i) != null)
                    .findFirst()
                    .orElseThrow());
        }
    }

    @AfterTry
    void removeFiles() throws IOException {
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
    void whatWasAcknowledgedIsThereAndNothingIsTorn(@ForAll long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Files.createDirectories(live);
        NAMES.forEach(name -> histories.put(name, new History()));
        PowerCutDisk disk = new PowerCutDisk(live);
        int processes = 1 + random.nextInt(3);
        Interleaving interleaving =
                new Interleaving(random.split(), random.nextInt(processes * MOST_OPERATIONS * STEPS_PER_OPERATION));
        long courses = random.nextLong();

        interleaving.run(processes, actor -> course(actor, disk, new SplittableRandom(courses + actor.number())));

        if (!interleaving.off()) {
            assertThat(live.resolve("store/temporary")).isEmptyDirectory();
        }
        disk.leave(random, Files.createDirectories(left));
        assertThatAllIsWell();
    }

    /** The work of one process: a random operation on a random name, again and again. */
    private void course(Interleaving.Actor actor, PowerCutDisk disk, SplittableRandom random) throws Exception {
        PowerCutRun course = new PowerCutRun(actor, disk, random);
        for (int i = 0; i < MOST_OPERATIONS; i++) {
            course.operation();
        }
    }

    private final class PowerCutRun {
        private final SplittableRandom random;
        private final Disk store;
        private byte @Nullable [] content;
        private int named;

        PowerCutRun(Interleaving.Actor actor, PowerCutDisk disk, SplittableRandom random) throws Exception {
            this.random = random;
            this.store = unlessOff(() -> Disk.open(
                    live.resolve("store"),
                    () -> now = now.plusNanos(1_000),
                    new PowerCutOperations(actor, disk, this::named),
                    (folder, operations) -> new NameLocks(folder, operations, NameLocks.threadLocks())));
        }

        private void named(Path path, boolean there) {
            NAMES.stream()
                    .filter(name -> path.equals(BlobFiles.file(live.resolve("store"), name)))
                    .forEach(name -> {
                        history(name).contents.add(there ? requireNonNull(content) : null);
                        named = history(name).latest();
                    });
        }

        void operation() throws Exception {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            History history = history(name);
            int before = history.latest();
            FileVersion version = store.version(name);
            byte[] bytes = new byte[1 + random.nextInt(MOST_BYTES)];
            random.nextBytes(bytes);
            content = bytes;
            BlockMemory memory = pool.allocate(bytes.length);
            memory.slice(0, bytes.length).put(bytes);
            try (LentContent lent = new LentContent(ByteBuffer.wrap(bytes))) {
                FileContent offered =
                        random.nextBoolean() ? new FileContent.CopiedContent(lent) : new FileContent.Pages(memory);
                if (version == null || random.nextBoolean()) {
                    PutResult put = unlessOff(() -> store.putIfAbsent(name, offered));
                    if (put instanceof PutResult.Stored) {
                        assertThat(history.contents.get(named - 1)).isNull();
                        history.certain(named);
                    } else {
                        history.certainlyThereSince(before);
                    }
                } else if (random.nextBoolean()) {
                    if (unlessOff(() -> store.putIfMatch(name, offered, version.etag())) instanceof PutResult.Stored) {
                        assertThat(named).as("what replaced the version seen").isEqualTo(before + 1);
                        history.certain(named);
                    }
                } else if (random.nextBoolean()) {
                    if (unlessOff(() -> store.isDurable(name))) {
                        history.certainlyThereSince(before);
                    }
                } else if (unlessOff(() -> store.deleteIfMatch(name, version.etag()))) {
                    assertThat(named).as("what removed the version seen").isEqualTo(before + 1);
                    history.certain(named);
                }
            } finally {
                memory.release();
            }
        }
    }

    private History history(String name) {
        return requireNonNull(histories.get(name));
    }

    @FunctionalInterface
    private interface StorageAction<T> {
        T call() throws StorageException;
    }

    private static <T> T unlessOff(StorageAction<T> call) throws StorageException, Interleaving.PowerCut {
        try {
            return call.call();
        } catch (StorageException e) {
            if (e.getCause() instanceof Interleaving.PowerCut cut) {
                throw cut;
            }
            throw e;
        }
    }

    private void assertThatAllIsWell() throws Exception {
        Path root = left.resolve("store");
        Disk store = withoutForcing(Files.createDirectories(root));
        for (String name : NAMES) {
            History history = history(name);
            byte @Nullable [] found = read(store, name);
            assertThat(IntStream.rangeClosed(history.certain, history.latest())
                            .anyMatch(i -> Arrays.equals(found, history.contents.get(i))))
                    .as(
                            "%s has %s: one of the contents %d to %d",
                            name,
                            found == null ? "nothing" : found.length + " bytes",
                            history.certain,
                            history.latest())
                    .isTrue();
        }
        store.temporary().removeStale();
        assertThat(root.resolve("temporary")).isEmptyDirectory();
        assertThat(NAMES).containsAll(store.list("", null, 10).names());
    }

    /** The store an hour later. */
    private Disk withoutForcing(Path root) throws IOException {
        Path temporary = Files.createDirectories(root.resolve("temporary"));
        InstantSource later = InstantSource.fixed(now.plus(TemporaryFiles.STALE).plus(Duration.ofSeconds(1)));
        return new Disk(
                new BlobTree(root.resolve("blobs"), new RealFiles()),
                TemporaryFiles.open(temporary, later, new RealFiles()),
                new NameLocks(root, new RealFiles(), List.of()),
                new RealFiles(),
                PlaceMark.of(root, new RealFiles()));
    }

    private static byte @Nullable [] read(Disk store, String name) throws StorageException {
        FileVersion version = store.version(name);
        if (version == null) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) version.size());
        assertThat(store.read(name, version, 0, bytes)).isTrue();
        return bytes.array();
    }
}
