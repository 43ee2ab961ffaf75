package dev.kvstore.dataplane.presence;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.testing.schedule.Schedules;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No schedule denies a block that is stored, although questions take no lock. */
@Tag("slow")
final class KnowledgeRacesTest {
    private static final long NOW = 0;
    private static final long KEY = 7;

    private final SnapshotFiles files = new SnapshotFiles(
            new MemoryStore(), new MemoryPool(64 << 20, Duration.ZERO), "f/", new SplittableRandom(1));

    @Test
    void aBlockIsKnownWhileItMovesFromALogIntoTheSnapshot() throws Exception {
        SnapshotVersion<Snapshot> without = requireNonNull(files.put(null, 1, _ -> {}));
        SnapshotVersion<Snapshot> with = requireNonNull(files.merge(without, new long[] {KEY}));

        Schedules.explore(() -> {
            Knowledge knowledge = new Knowledge(false);
            knowledge.learnt(view(without));
            knowledge.stored(List.of(KEY));

            race(
                    () -> {
                        knowledge.learnt(view(with));
                        knowledge.stored(List.of(KEY));
                        knowledge.learnt(view(without));
                    },
                    () -> assertThat(knowledge.mightContain(KEY, NOW)).isTrue(),
                    () -> assertThat(knowledge.mightContain(KEY, NOW)).isTrue());
        });
    }

    @Test
    void aBlockThatIsStoredBesideAnAnswerIsKnown() {
        Schedules.explore(() -> {
            Knowledge knowledge = new Knowledge(false);
            knowledge.learnt(view(null));
            knowledge.heard(List.of(KEY), NOW);
            AtomicBoolean stored = new AtomicBoolean();

            race(() -> ask(knowledge, stored), () -> {
                stored.set(true);
                knowledge.stored(KEY);
                assertThat(knowledge.mightContain(KEY, NOW)).isTrue();
                knowledge.logged(KEY);
            });

            assertThat(knowledge.mightContain(KEY, NOW)).isTrue();
            assertThat(knowledge.wasStored(KEY, 0)).isFalse();
        });
    }

    @Test
    void aBlockThatIsStoredWhileLogsAreDoubtedStaysKnown() {
        Schedules.explore(() -> {
            Knowledge knowledge = new Knowledge(false);
            knowledge.learnt(view(null));
            AtomicBoolean logged = new AtomicBoolean();

            race(
                    () -> {
                        knowledge.doubt(view(null), () -> logged.get() ? List.of(KEY) : List.of());
                        knowledge.confirmed(NOW);
                    },
                    () -> {
                        knowledge.stored(KEY);
                        logged.set(true);
                        knowledge.logged(KEY);
                        assertThat(knowledge.mightContain(KEY, NOW)).isTrue();
                    });

            assertThat(knowledge.wasStored(KEY, 0)).isFalse();
        });
    }

    @Test
    void anAnnouncementBesideAnAnswerCounts() {
        Schedules.explore(() -> {
            Knowledge knowledge = new Knowledge(false);
            knowledge.learnt(view(null));
            AtomicBoolean stored = new AtomicBoolean();

            race(() -> ask(knowledge, stored), () -> {
                stored.set(true);
                knowledge.heard(List.of(KEY), NOW);
            });

            assertThat(knowledge.mightContain(KEY, NOW)).isTrue();
        });
    }

    private static View view(@Nullable SnapshotVersion<Snapshot> stored) {
        return new View(stored, true, NOW, Long.MAX_VALUE, false);
    }

    /** Asks storage for the block, and hears its answer. */
    private static void ask(Knowledge knowledge, AtomicBoolean stored) {
        long asked = knowledge.asked();
        if (!stored.get()) {
            knowledge.missing(KEY, asked);
        }
    }
}
