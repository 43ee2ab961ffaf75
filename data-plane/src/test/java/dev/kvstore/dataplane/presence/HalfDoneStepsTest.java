package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A step that storage refuses leaves nothing that denies a stored block. */
final class HalfDoneStepsTest extends PresenceSetup {
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    private final AtomicBoolean refused = new AtomicBoolean();

    @Test
    void aLogThatCannotBeDeletedAfterAListingHidesNoBlockOfOthers() throws Exception {
        PartitionPresence ended = process("c");
        store(ended, spread(1));
        ended.beat(true);
        PartitionPresence writer = process("b");
        store(writer, spread(2));
        AtomicBoolean listed = new AtomicBoolean();
        HookedStore storage = new HookedStore(store);
        PartitionPresence lister = process("a", storage.store());
        storage.before((operation, name) -> refuseOnce(operation.equals("deleteIfMatch") && !name.contains("/parts/")))
                .after((operation, name) -> {
                    if (name.contains("/parts/") && operation.equals("putIfAbsent") && !listed.getAndSet(true)) {
                        // While the lister writes its snapshot, which lacks this block.
                        store(writer, spread(3));
                        writer.beat(false);
                        advance(PartitionPresence.FRESH);
                        boolean _ = executor.aside(lister::prepare);
                    }
                });
        lister.prepare();
        Files.delete(file("snapshot"));
        advance(PartitionPresence.STALE);
        lister.prepare();
        assertThat(listed).as("the partition was listed").isTrue();
        assertThat(refused).as("a deletion was refused").isTrue();

        for (Duration past = Duration.ZERO; past.compareTo(TEN_MINUTES) < 0; past = past.plus(BEAT)) {
            advance(BEAT);
            store(writer, spread((int) past.toSeconds() + 10));
            writer.beat(false);
            lister.prepare();
            assertThat(lister.mightContain(spread(3))).as("after %s", past).isTrue();
        }
        assertThat(lister.prepare()).as("it answers without storage").isTrue();
    }

    private void refuseOnce(boolean condition) throws StorageException {
        if (condition && !refused.getAndSet(true)) {
            throw new StorageException(Kind.UNAVAILABLE, "503", null);
        }
    }

    @Test
    void aPartitionWithBlocksIsNotTakenForNewThoughNothingDescribesIt() throws Exception {
        block(spread(1));

        PartitionPresence process = process("a");

        for (int i = 0; i < 3; i++) {
            process.prepare();
            assertThat(process.mightContain(spread(1))).isTrue();
            advance(PartitionPresence.STALE);
        }
        assertThat(process.isLogged(spread(1))).as("it was listed").isTrue();
    }

    @Test
    void aLogThatWasGoneIsMadeUpForThoughStorageFailsAtFirst() throws Exception {
        AtomicBoolean away = new AtomicBoolean();
        BlockStore storage = new HookedStore(store)
                .before((operation, _) -> {
                    if (away.get() && operation.equals("list")) {
                        throw new StorageException(Kind.UNAVAILABLE, "503", null);
                    }
                })
                .store();
        PartitionPresence writer = process("a", storage);
        store(writer, spread(1));
        writer.beat(false);
        for (String log : logs()) {
            Files.delete(file(log));
        }
        away.set(true);
        writer.beat(false);
        away.set(false);

        advance(BEAT);
        writer.beat(false);

        PartitionPresence reader = process("b");
        reader.prepare();
        assertThat(reader.isLogged(spread(1)))
                .as("another process finds it in the listing")
                .isTrue();
    }
}
