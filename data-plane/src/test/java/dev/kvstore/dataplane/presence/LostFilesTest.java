package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.metrics.PresenceMetrics;
import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Presence of a partition whose files, or whose whole container, others delete while processes run. */
final class LostFilesTest extends PresenceSetup {
    @Test
    void aWriterWhoseLogIsOpenMakesLogAndSnapshotAnewWithItsNextBeat() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        writer.beat(false);
        makeAnew();

        writer.beat(false);

        assertThat(logs()).hasSize(1);
        assertThat(snapshotExists()).isTrue();
    }

    @Test
    void aWriterWhoseLogIsClosedMakesLogAndSnapshotAnewWithItsNextBlock() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        rest(writer);
        makeAnew();

        store(writer, 2);

        assertThat(logs()).hasSize(1);
        assertThat(snapshotExists()).isTrue();
    }

    /** A listing that finds the block lost deletes the closed log that has it. */
    @Test
    void aBlockThatIsWrittenAgainAfterItCameBackIsKnownToOthersThoughItsWriterIsAskedNothing() throws Exception {
        PartitionPresence writer = process("a");
        PartitionPresence reader = process("b");
        store(writer, spread(1));
        rest(writer);
        writer.prepare();
        Files.delete(BlobFiles.file(directory, blob(spread(1))));
        Files.delete(file("snapshot"));
        reader.prepare();
        block(spread(1));
        assertThat(reader.mightContain(spread(1)))
                .as("listed while it was lost")
                .isFalse();

        assertThat(writer.isLogged(spread(1)))
                .as("in the files that its writer knows")
                .isTrue();
        advance(BEAT);
        writer.beat(false);

        advance(PartitionPresence.STALE);
        assertThat(reader.prepare()).as("trusted").isTrue();
        assertThat(reader.mightContain(spread(1))).isTrue();
    }

    @Test
    void blocksOfTheContainerBeforeAreDeniedOnceKnowledgeIsRenewed() throws Exception {
        PartitionPresence process = process("a");
        for (int i = 0; i < 10; i++) {
            store(process, spread(i));
        }
        rest(process);
        process.prepare();
        makeAnew();
        advance(PartitionPresence.STALE);

        assertThat(process.prepare()).as("trusted").isTrue();

        for (int i = 0; i < 10; i++) {
            assertThat(process.mightContain(spread(i))).isFalse();
        }
    }

    @Test
    void blocksOfTheContainerBeforeAreDeniedAlsoWhereAnotherProcessNoticedFirst() throws Exception {
        PartitionPresence writer = process("a");
        PartitionPresence reader = process("b");
        store(writer, spread(1));
        writer.beat(false);
        reader.prepare();
        assertThat(reader.mightContain(spread(1))).isTrue();
        makeAnew();
        writer.beat(false);
        advance(PartitionPresence.FRESH);
        store(writer, spread(2));
        writer.beat(false);
        advance(PartitionPresence.FRESH);
        writer.beat(false);

        assertThat(reader.prepare()).as("trusted").isTrue();

        assertThat(reader.mightContain(spread(1))).isFalse();
        assertThat(reader.mightContain(spread(2))).isTrue();
    }

    /** The log in storage does not have them yet, so the process carries them into the next one. */
    @Test
    void blocksThatNoBeatHadLoggedAreDeniedByTheirWriterAndByOthers() throws Exception {
        PartitionPresence writer = process("a");
        PartitionPresence reader = process("b");
        store(writer, spread(1));
        reader.prepare();
        makeAnew();

        writer.beat(false);

        assertThat(writer.prepare()).as("trusted").isTrue();
        assertThat(writer.mightContain(spread(1))).as("at its writer").isFalse();
        advance(PartitionPresence.FRESH);
        reader.prepare();
        assertThat(reader.mightContain(spread(1))).as("at a reader").isFalse();
        rest(writer);
        writer.prepare();
        assertThat(writer.mightContain(spread(1))).as("once its log is closed").isFalse();
    }

    @Test
    void blocksThatNoBeatHadLoggedAreDeniedAlsoWhereAnotherProcessListedTheContainerFirst() throws Exception {
        PartitionPresence other = process("b");
        store(other, spread(9));
        PartitionPresence writer = process("a");
        store(writer, spread(1));
        makeAnew();
        other.beat(false);

        writer.beat(false);

        assertThat(writer.prepare()).as("trusted").isTrue();
        assertThat(writer.mightContain(spread(1))).isFalse();
    }

    @Test
    void beatsAreDueUntilTheContainerIsListedAlsoIfTheLogIsClosedMeanwhile() throws Exception {
        HookedStore hooked = new HookedStore(store);
        PartitionPresence writer = process("a", hooked.store());
        store(writer, spread(1));
        makeAnew();
        failSnapshots(hooked);
        rest(writer);
        assertThat(writer.needsBeats()).isTrue();
        hooked.before(HookedStore.Hook.NOTHING);

        writer.beat(false);

        assertThat(writer.needsBeats()).isFalse();
        writer.prepare();
        assertThat(writer.mightContain(spread(1))).isFalse();
    }

    @Test
    void blocksOfTheContainerBeforeAreListedForAgainIfStorageFailsAtFirst() throws Exception {
        HookedStore hooked = new HookedStore(store);
        PartitionPresence writer = process("a", hooked.store());
        store(writer, spread(1));
        makeAnew();
        failSnapshots(hooked);
        writer.beat(false);
        hooked.before(HookedStore.Hook.NOTHING);

        writer.beat(false);

        assertThat(writer.prepare()).as("trusted").isTrue();
        assertThat(writer.mightContain(spread(1))).isFalse();
    }

    @Test
    void blocksStoredInTheNewContainerStayKnownWhenTheOldOnesAreForgotten() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, spread(1));
        makeAnew();
        store(writer, spread(2));

        writer.beat(false);

        PartitionPresence reader = process("b");
        for (PartitionPresence process : List.of(writer, reader)) {
            process.prepare();
            assertThat(process.isLogged(spread(1))).isFalse();
            assertThat(process.isLogged(spread(2))).isTrue();
        }
    }

    /** Blocks stay: a rule deletes only what is named presence, or the descriptor and the snapshot are the oldest. */
    @Test
    void blocksThatAreStillStoredAreFoundByAListingOnceTheirFilesAreGone() throws Exception {
        PartitionPresence process = process("a");
        store(process, spread(1));
        rest(process);
        process.prepare();
        for (String name : store.list("", null, 5000).names()) {
            if (name.startsWith(FOLDER) || name.endsWith("partition.json")) {
                Files.delete(BlobFiles.file(directory, name));
            }
        }
        advance(PartitionPresence.STALE);
        process.prepare();

        PartitionPresence other = process("b");

        assertThat(other.prepare()).as("trusted").isTrue();
        assertThat(other.mightContain(spread(1))).isTrue();
        assertThat(other.mightContain(spread(2))).isFalse();
    }

    @Test
    void blocksOfAnOpenLogThatSomebodyDeletedAreFoundByAListing() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, spread(1));
        writer.beat(false);
        Files.delete(file(logs().getFirst()));

        writer.beat(false);

        PartitionPresence other = process("b");
        other.prepare();
        assertThat(other.mightContain(spread(1))).isTrue();
    }

    /** Clients store the same prompts again, by whichever process. */
    @Test
    void aBlockThatThisProcessSawInStorageStaysBelievedUntilTheLogOfItsWriterHasIt() throws Exception {
        PartitionPresence process = process("a");
        store(process, spread(1));
        rest(process);
        makeAnew();
        store(process("b"), spread(1));
        process.begin();
        assertThat(process.wasStored(spread(1))).as("a log had it").isFalse();
        process.end();
        advance(PartitionPresence.FRESH);

        process.prepare();

        assertThat(process.mightContain(spread(1))).isTrue();
    }

    @Test
    void aProcessTakenForDeadDoesNotListThePartitionOnceMore() throws Exception {
        PartitionPresence stalled = process("a");
        store(stalled, spread(1));
        stalled.beat(false);
        PartitionPresence other = process("b");
        other.prepare();
        advance(OthersLogs.DEAD);
        other.prepare();
        double before = PresenceMetrics.REBUILDS.counter(meters).count();
        assertThat(before).isEqualTo(1);

        stalled.beat(false);

        assertThat(PresenceMetrics.REBUILDS.counter(meters).count()).isEqualTo(before);
    }

    /** Tells of everything, and closes the log. */
    private void rest(PartitionPresence writer) throws Exception {
        writer.beat(false);
        advance(OwnLog.IDLE);
        writer.beat(false);
    }

    /** As if the container were deleted and made again. */
    private void makeAnew() throws IOException {
        for (String name : store.list("", null, 5000).names()) {
            Files.delete(BlobFiles.file(directory, name));
        }
    }

    private static void failSnapshots(HookedStore hooked) {
        hooked.before((operation, name) -> {
            if (name.endsWith("snapshot")) {
                throw new StorageException(Kind.UNAVAILABLE, operation, null);
            }
        });
    }

    private boolean snapshotExists() throws IOException {
        return store.exists(FOLDER + "snapshot");
    }
}
