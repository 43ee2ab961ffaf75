package dev.kvstore.dataplane.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.control.v1.Copying;
import dev.kvstore.protocol.control.v1.Copying.Preheat;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A warming whose storage, control plane or lease is away for a while. */
@Tag("slow")
class WarmerFaultsTest extends WarmerSetup {
    @Test
    void aBlockThatIsGoneOrDamagedOrArchivedFailsAlone() throws Exception {
        for (int i = 1; i <= 5; i++) {
            store(from, i);
        }
        from.lose(name(2));
        from.lose(name(3));
        from.putZeros(name(3), STORED_BYTES);
        from.archive(name(5));
        giver.size = 5;
        ByteString names = ByteString.EMPTY;
        for (int i = 1; i <= 5; i++) {
            names = names.concat(WireNames.field(ROOT)).concat(WireNames.field(hash(i)));
        }
        giver.tasks.add(task().setWarming("w2")
                .setCopying(Copying.newBuilder().setTarget(storage("/to")).setBlocks(names))
                .build());
        warmer.start();

        awaitOutcomes("13313");
        assertThat(giver.reasons())
                .hasSize(3)
                .anyMatch(reason -> reason.equals("it is not at the source any more"))
                .anyMatch(reason -> reason.equals("it is archived at the source"))
                .anyMatch(reason -> reason.startsWith("damaged at the source: "));
        assertThat(from.exists(name(3))).isTrue();
    }

    @Test
    void storageThatIsAwayIsWaitedFor() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        beforeFrom = method -> {
            if (method.equals("get") && refusals.incrementAndGet() <= 3) {
                throw new StorageException(Kind.UNAVAILABLE, "no route", null);
            }
        };
        beforeTo = method -> {
            if (method.equals("putIfAbsent") && refusals.incrementAndGet() <= 6) {
                throw new StorageException(Kind.THROTTLED, "slow down", null);
            }
        };
        give(4, Preheat.STORAGE);

        awaitOutcomes("1111");
    }

    @Test
    void whileItIsAwayItIsSaidWhatIsWaitedFor() throws Exception {
        beforeFrom = method -> {
            if (method.equals("get")) {
                throw new StorageException(Kind.UNAVAILABLE, "no route", null);
            }
        };
        give(1, Preheat.STORAGE);

        await().untilAsserted(() -> assertThat(giver.copied)
                .extracting(ReportCopiedRequest::getWaiting)
                .contains("source unavailable: no route"));
        beforeFrom = _ -> {};
        awaitOutcomes("1");
    }

    @Test
    void aDestinationThatIsFullIsNotTriedForEachBlock() throws Exception {
        AtomicInteger puts = new AtomicInteger();
        beforeTo = method -> {
            if (method.equals("putIfAbsent")) {
                puts.incrementAndGet();
                throw new StorageException(Kind.FULL, "no room left", null);
            }
        };
        give(200, Preheat.STORAGE);

        awaitOutcomes("3".repeat(200));
        assertThat(giver.reasons())
                .contains("destination full: no room left", "not tried: destination full: no room left");
        assertThat(puts.get()).isLessThanOrEqualTo(2 * Lanes.BLOCKS);
    }

    @Test
    void whatWasDoneWhileNobodyListenedIsToldLater() throws Exception {
        giver.refusal = Status.UNAVAILABLE;
        give(3, Preheat.STORAGE);
        await().until(() -> warmer.counters().copied().sum() == 3);

        giver.refusal = null;

        awaitOutcomes("111");
    }

    @Test
    void whoHasLostItsLeaseGoesOnAndTellsWithTheNext() throws Exception {
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                held.acquireUninterruptibly();
            }
        };
        give(2, Preheat.STORAGE);
        await().until(() -> warmer.tasks() == 1);
        lease = "";
        held.release(2);
        await().until(() -> warmer.counters().copied().sum() == 2);

        lease = "the-next";

        awaitOutcomes("11");
        assertThat(giver.copied.getLast().getLease()).isEqualTo("the-next");
    }

    @Test
    void aClaimThatIsOverIsLeftAlone() throws Exception {
        giver.size = 0;
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                held.acquireUninterruptibly();
            }
        };
        give(2, Preheat.STORAGE);
        giver.size = 0; // an empty report ends it

        await().until(() -> !giver.copied.isEmpty());
        held.release(2);
        await().until(() -> warmer.tasks() == 0);
    }
}
