package dev.kvstore.dataplane.presence.log;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.block.BlockHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process's log in storage, when answers of storage are lost. */
final class OwnLogTest {
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    private static final String FOLDER = "kv/v1/" + ROOT.hex() + "/presence/";

    private final MemoryPool pool = new MemoryPool(1 << 20, Duration.ZERO);
    private final MemoryStore blobs = new MemoryStore();
    private final HookedStore store = new HookedStore(blobs);
    private final PresenceFiles files = new PresenceFiles(store.store(), pool, ROOT);
    private final AtomicLong clock = new AtomicLong();
    private final LogWriter self = LogWriter.of("a", new SplittableRandom(1));
    private final OwnLog log = new OwnLog(files, self, clock::get);

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void aLogWhoseFirstAnswerIsLostIsTheOneThatIsGoneOnWith() throws Exception {
        loseAnswerOf("putIfAbsent");

        stored(1);
        close();

        assertThat(logs()).singleElement().isEqualTo(new Log(1, false, List.of(1L)));
    }

    @Test
    void aBeatWhoseAnswerIsLostLeavesNoOtherLogOpen() throws Exception {
        stored(1);
        loseAnswerOf("putIfMatch");

        log.beat(false);
        stored(2);
        close();

        assertThat(logs()).singleElement().satisfies(only -> {
            assertThat(only.open()).isFalse();
            assertThat(only.keys()).containsExactly(1L, 2L);
        });
    }

    @Test
    void aBeatThatTookEffectLateLeavesNoOtherLogOpen() throws Exception {
        stored(1);
        failTwice("putIfMatch");
        try {
            log.beat(false);
        } catch (StorageException e) {
            // Nobody can tell.
        }
        store.after(HookedStore.Hook.NOTHING).before(HookedStore.Hook.NOTHING);

        stored(2);
        close();

        assertThat(logs()).allMatch(any -> !any.open());
        assertThat(logs().stream().flatMap(any -> any.keys().stream())).contains(1L, 2L);
    }

    @Test
    void aLogThatCouldNotBeClosedIsClosedBeforeAnotherIsOpen() throws Exception {
        stored(1);
        log.beat(false);
        clock.addAndGet(OwnLog.IDLE.toNanos());
        store.before((operation, _) -> {
            throw new StorageException(Kind.UNAVAILABLE, operation, null);
        });
        try {
            log.beat(false);
        } catch (StorageException e) {
            // Storage is away for a moment.
        }
        store.before(HookedStore.Hook.NOTHING);

        stored(2);

        assertThat(logs()).filteredOn(Log::open).hasSize(1);
        close();
        assertThat(logs()).noneMatch(Log::open);
        assertThat(logs().stream().flatMap(any -> any.keys().stream())).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void aLogThatIsGoneIsReplacedByALaterBeatIfStorageFailsAtFirst() throws Exception {
        stored(1);
        log.beat(false);
        stored(2);
        blobs.list(FOLDER, null, 5000).names().forEach(blobs::lose);
        store.before((operation, _) -> {
            if (operation.equals("putIfAbsent")) {
                throw new StorageException(Kind.UNAVAILABLE, operation, null);
            }
        });
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> log.beat(false));
        store.before(HookedStore.Hook.NOTHING);
        assertThat(log.isOpen()).as("beats are due").isTrue();

        log.beat(false);

        assertThat(logs()).singleElement().satisfies(only -> {
            assertThat(only.open()).isTrue();
            assertThat(only.keys()).containsExactly(2L);
        });
    }

    @Test
    void aListingTakesTheKeysFromBeforeItOutOfTheLog() throws Exception {
        stored(1);
        log.beat(false);
        OwnLog.LogMark mark = log.mark();
        stored(2);

        log.listedUntil(mark);

        assertThat(logs()).singleElement().satisfies(only -> {
            assertThat(only.open()).isTrue();
            assertThat(only.keys()).containsExactly(2L);
        });
        stored(3);
        close();
        assertThat(logs())
                .singleElement()
                .satisfies(only -> assertThat(only.keys()).containsExactly(2L, 3L));
    }

    @Test
    void aListingTakesNoKeyOfALogThatWasOpenedMeanwhile() throws Exception {
        stored(1);
        OwnLog.LogMark mark = log.mark();
        log.beat(false);
        clock.addAndGet(OwnLog.IDLE.toNanos());
        assertThat(log.beat(false)).as("closed").isTrue();
        stored(2);

        log.listedUntil(mark);

        close();
        assertThat(logs().stream().flatMap(any -> any.keys().stream())).contains(2L);
    }

    @Test
    void aListingLeavesTheKeysSinceForTheLogThatIsOpenedLater() throws Exception {
        stored(1);
        log.beat(false);
        blobs.list(FOLDER, null, 5000).names().forEach(blobs::lose);
        store.before((operation, _) -> {
            if (operation.equals("putIfAbsent")) {
                throw new StorageException(Kind.UNAVAILABLE, operation, null);
            }
        });
        log.begin();
        log.stored(2);
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> log.beat(false));
        OwnLog.LogMark mark = log.mark();
        log.stored(3);
        log.end();

        log.listedUntil(mark);
        store.before(HookedStore.Hook.NOTHING);
        log.beat(false);

        assertThat(logs()).singleElement().satisfies(only -> {
            assertThat(only.open()).isTrue();
            assertThat(only.keys()).containsExactly(3L);
        });
    }

    @Test
    void noTwoLogsOfAProcessHaveTheSameName() throws Exception {
        stored(1);
        close();
        OwnLog again = new OwnLog(files, self, clock::get);
        again.begin();
        again.stored(2);
        again.end();
        again.beat(true);

        assertThat(logs()).hasSize(2);
    }

    @Test
    void noBlockIsBegunWhileStorageHoldsTheLog() throws Exception {
        stored(1);
        AtomicInteger tries = new AtomicInteger();
        store.before((operation, name) -> {
            if (operation.equals("putIfMatch")) {
                tries.incrementAndGet();
                throw StorageException.held(name, "refuses to replace or delete blobs (Code): remove the policy");
            }
        });
        var _ = catchThrowable(() -> log.beat(false));

        for (int i = 0; i < 10; i++) {
            StorageException refusal = catchThrowableOfType(StorageException.class, log::begin);
            assertThat(refusal.kind()).isEqualTo(Kind.HELD);
            assertThat(refusal.remedy()).contains("remove the policy");
        }
        assertThat(tries).as("asked once").hasValue(1);
        store.before((operation, _) -> tries.addAndGet(operation.equals("putIfMatch") ? 1 : 0));
        clock.addAndGet(OwnLog.HELD.toNanos());
        stored(2);
        stored(3);
        assertThat(tries).as("asked once more").hasValue(2);
        close();
        assertThat(logs())
                .singleElement()
                .satisfies(only -> assertThat(only.keys()).containsExactly(1L, 2L, 3L));
    }

    /** However fast blocks are stored: others would not read a log that is longer. */
    @Test
    void noLogIsLongerThanOthersRead() throws Exception {
        stored(0);
        log.begin();
        for (long key = 1; key < 200_000; key++) {
            log.stored(key);
        }
        log.beat(false);
        for (long key = 200_000; key < 300_000; key++) {
            log.stored(key);
        }
        log.end();
        close();

        assertThat(blobs.list(FOLDER, null, 5000).blobs())
                .allSatisfy(blob -> assertThat(blob.length()).isLessThan(65_536 * Long.BYTES));
        assertThat(logs().stream().flatMap(some -> some.keys().stream()).distinct())
                .hasSize(300_000);
        assertThat(logs()).noneMatch(Log::open);
    }

    /** Once. */
    private void loseAnswerOf(String operation) {
        AtomicInteger left = new AtomicInteger(1);
        store.after((called, _) -> {
            if (called.equals(operation) && left.getAndDecrement() > 0) {
                throw new StorageException(Kind.UNAVAILABLE, "the answer is lost", null);
            }
        });
    }

    /** The call takes effect, and neither its answer nor the next look comes back. */
    private void failTwice(String operation) {
        AtomicInteger failed = new AtomicInteger();
        store.after((called, _) -> {
            if (called.equals(operation)) {
                failed.set(1);
                throw new StorageException(Kind.UNAVAILABLE, "the answer is lost", null);
            }
        });
        store.before((called, _) -> {
            if (called.equals("get") && failed.get() == 1) {
                throw new StorageException(Kind.UNAVAILABLE, "storage is away", null);
            }
        });
    }

    private void stored(long key) throws Exception {
        log.begin();
        log.stored(key);
        log.end();
    }

    private void close() throws Exception {
        log.beat(true);
    }

    private List<Log> logs() throws Exception {
        List<Log> logs = new ArrayList<>();
        for (String name : blobs.list(FOLDER, null, 5000).names()) {
            logs.add(requireNonNull(files.log(name.substring(FOLDER.length()))).content());
        }
        return logs;
    }
}
