package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.storage.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No moment of a change denies a stored block. */
final class KnowledgeTest {
    private static final long NOW = 0;
    private static final int BLOCKS = 20_000;

    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final SplittableRandom random = new SplittableRandom(1);
    private final SnapshotFiles files = new SnapshotFiles(new MemoryStore(), pool, "f/", random);
    private final Knowledge knowledge = new Knowledge(false);

    @Test
    void aBlockStoredWhileTheOwnKeysAreReadIsKnownOnceAllLogsWereRead() {
        knowledge.doubt(view(null), () -> {
            // As the read keys have it, this block is not stored yet.
            knowledge.stored(List.of(1L));
            return List.of();
        });

        knowledge.confirmed(NOW);

        assertThat(knowledge.isDocumented(1)).isTrue();
    }

    @Test
    void aBlockThatIsBeingLoggedWhileTheOwnKeysAreReadIsKnownOnceAllLogsWereRead() {
        knowledge.stored(1L);
        knowledge.doubt(view(null), List::of); // the log does not have it yet
        knowledge.logged(1L);

        knowledge.confirmed(NOW);

        assertThat(knowledge.isDocumented(1)).isTrue();
    }

    @Test
    void aBlockThatWasAbsentAndIsStoredBesideAListingStaysKnown() {
        knowledge.learnt(view(null));
        knowledge.stored(List.of(1L));
        assertThat(knowledge.missing(1, knowledge.asked())).isTrue();

        knowledge.listed(view(null), () -> {
            knowledge.stored(List.of(1L));
            return List.of();
        });
        knowledge.confirmed(NOW);

        assertThat(knowledge.isDocumented(1)).isTrue();
    }

    @Test
    void storageIsAskedAgainAboutABlockThatItLackedOnceTheFilesWereReadAnew() {
        knowledge.learnt(view(null));
        knowledge.stored(List.of(1L));
        assertThat(knowledge.missing(1, knowledge.asked())).isTrue();
        assertThat(knowledge.mightContain(1, NOW)).isFalse();

        // The block came back, and its writer, whose log has it, wrote it again: no file tells of that.
        knowledge.learnt(view(null));
        knowledge.expire(NOW);

        assertThat(knowledge.mightContain(1, NOW)).isTrue();
    }

    @Test
    void aListingIsDueWhenStorageOftenLackedBlocksThatTheFilesHave() {
        knowledge.learnt(view(null));
        knowledge.stored(List.of(1L));

        for (int i = 0; i < 64; i++) {
            assertThat(knowledge.isDoubtful()).isFalse();
            assertThat(knowledge.missing(1, knowledge.asked())).isTrue();
            knowledge.expire(NOW);
        }

        assertThat(knowledge.isDoubtful()).isTrue();
    }

    @Test
    void aBlockSeenInStorageIsKnownWhenTheFilesWereForgottenAndNoneHasItAnyMore() {
        knowledge.learnt(view(null));
        knowledge.stored(List.of(1L));
        assertThat(knowledge.wasStored(1, NOW)).isFalse();

        knowledge.forgetAll(List::of, NOW);
        knowledge.learnt(view(null));

        assertThat(knowledge.mightContain(1, NOW)).isTrue();
    }

    /** Only a block that is remembered can be missed when the files turn out to be gone. */
    @Test
    void aBlockForWhichThereIsNoRoomIsLoggedAlthoughFilesHaveIt() {
        List<Long> keys = LongStream.rangeClosed(0, 4096).boxed().toList();
        knowledge.learnt(view(null));
        knowledge.stored(keys);
        keys.subList(0, 4096)
                .forEach(key -> assertThat(knowledge.wasStored(key, NOW)).isFalse());

        assertThat(knowledge.wasStored(4096, NOW)).isTrue();
        assertThat(knowledge.wasStored(0, NOW)).isFalse();
    }

    @Test
    void aBlockIsKnownWhileItMovesFromTheLogsIntoTheSnapshot() throws Exception {
        long[] keys = LongStream.generate(random::nextLong).limit(BLOCKS).toArray();
        SnapshotVersion<Snapshot> without = Objects.requireNonNull(files.put(null, 1, _ -> {}));
        SnapshotVersion<Snapshot> with = Objects.requireNonNull(files.merge(without, keys));
        List<Long> all = LongStream.of(keys).boxed().toList();
        AtomicBoolean over = new AtomicBoolean();
        knowledge.learnt(view(without));
        knowledge.stored(all);
        CompletableFuture<List<Long>> denied =
                CompletableFuture.supplyAsync(() -> denied(keys, over), Thread::startVirtualThread);

        for (int i = 0; i < 200; i++) {
            knowledge.learnt(view(with));
            knowledge.stored(all);
            knowledge.learnt(view(without));
        }
        over.set(true);

        assertThat(denied.get(60, TimeUnit.SECONDS)).isEmpty();
    }

    private List<Long> denied(long[] keys, AtomicBoolean over) {
        List<Long> denied = new ArrayList<>();
        while (!over.get()) {
            for (long key : keys) {
                if (!knowledge.mightContain(key, NOW)) {
                    denied.add(key);
                }
            }
        }
        return denied;
    }

    private static View view(@Nullable SnapshotVersion<Snapshot> stored) {
        return new View(stored, true, NOW, Long.MAX_VALUE, false);
    }
}
