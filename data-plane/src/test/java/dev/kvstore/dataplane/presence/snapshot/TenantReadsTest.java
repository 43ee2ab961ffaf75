package dev.kvstore.dataplane.presence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class TenantReadsTest {
    private final TenantReads reads = new TenantReads(Patience.LIMIT);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger underWay = new AtomicInteger();

    @Test
    void anAccountWhoseFilesHangHoldsUpNoOther() throws Exception {
        for (int i = 0; i < 100; i++) {
            Thread.startVirtualThread(() -> unchecked(() -> reads.read("slow", this::hang)));
        }
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == ReadLimits.ACCOUNT_READS);

        assertThat(later(() -> reads.read("other", () -> "read"))).isEqualTo("read");
        assertThat(underWay).hasValue(ReadLimits.ACCOUNT_READS);
        released.countDown();
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == 100);
    }

    @Test
    void anAccountThatListsLeavesItselfReadsAndOthersListings() throws Exception {
        for (int i = 0; i < 100; i++) {
            Thread.startVirtualThread(() -> unchecked(() -> reads.list("large", this::hang)));
        }
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == ReadLimits.ACCOUNT_LISTINGS);

        assertThat(later(() -> reads.list("other", () -> "listed"))).isEqualTo("listed");
        assertThat(underWay).hasValue(ReadLimits.ACCOUNT_LISTINGS);
        released.countDown();
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == 100);
    }

    @Test
    void aFileThatStorageTakesLongToGiveHoldsUpNoOtherOfItsAccount() throws Exception {
        TenantReads impatient = new TenantReads(Duration.ofMillis(1));
        for (int i = 0; i < ReadLimits.ACCOUNT_READS; i++) {
            Thread.startVirtualThread(() -> unchecked(() -> impatient.list("slow", this::hang)));
        }
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == ReadLimits.ACCOUNT_READS);

        assertThat(later(() -> impatient.list("slow", () -> "listed"))).isEqualTo("listed");
        released.countDown();
    }

    @Test
    void noReadBeginsWhileMostOfAnAccountWaitForStorage() throws Exception {
        TenantReads impatient = new TenantReads(Duration.ofMillis(1));
        for (int i = 0; i < ReadLimits.ACCOUNT_SLOW_READS; i++) {
            Thread.startVirtualThread(() -> unchecked(() -> impatient.read("slow", this::hang)));
        }
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == ReadLimits.ACCOUNT_SLOW_READS);

        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThatExceptionOfType(StorageException.class)
                        .isThrownBy(() -> impatient.read("slow", () -> "read"))
                        .withMessageContaining("wait for storage already"));
        assertThat(impatient.<String>read("other", () -> "read")).isEqualTo("read");
        released.countDown();
        await().atMost(Patience.LIMIT)
                .ignoreExceptions()
                .until(() -> impatient.<String>read("slow", () -> "read").equals("read"));
    }

    @Test
    void anAccountWhoseFilesTakeLongToDecodeHoldsUpNoOther() throws Exception {
        for (int i = 0; i < 100; i++) {
            Thread.startVirtualThread(() -> unchecked(() -> reads.decode("slow", this::hang)));
        }
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == 1);

        assertThat(later(() -> reads.decode("other", () -> "decoded"))).isEqualTo("decoded");
        assertThat(underWay).hasValue(1);
        released.countDown();
        await().atMost(Patience.LIMIT).until(() -> underWay.get() == 100);
    }

    @Test
    void filesAreDecodedOnPlatformThreads() throws Exception {
        assertThat(later(() -> reads.decode("a", () -> Thread.currentThread().isVirtual())))
                .isEqualTo(false);
    }

    private String hang() {
        underWay.incrementAndGet();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "late";
    }

    private interface Work {
        Object run() throws Exception;
    }

    private static Object unchecked(Work work) {
        try {
            return work.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object later(Work work) throws Exception {
        return CompletableFuture.supplyAsync(() -> unchecked(work), Thread::startVirtualThread)
                .get(60, TimeUnit.SECONDS);
    }
}
