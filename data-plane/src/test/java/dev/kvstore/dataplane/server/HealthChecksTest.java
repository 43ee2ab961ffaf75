package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlaneFixture;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.server.health.AccountsCheck;
import dev.kvstore.dataplane.server.health.AccountsMeters;
import dev.kvstore.dataplane.server.health.MemoryCheck;
import dev.kvstore.dataplane.server.health.ProcessCheck;
import dev.kvstore.dataplane.server.health.StorageCheck;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.dataplane.storage.StorageException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

/** Each failure mode, and what health makes of it. */
final class HealthChecksTest {
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void aNetworkThreadThatDoesNotRespondIsNoticedAndForgivenOnceItDoes() {
        EventExecutor busy = new DefaultEventExecutor();
        EventExecutor idle = new DefaultEventExecutor();
        EventLoops loops = new EventLoops(List.of(busy, idle), nanos::get);
        ProcessCheck check = new ProcessCheck(loops);
        CountDownLatch end = new CountDownLatch(1);
        busy.execute(() -> awaitUninterruptibly(end));

        loops.ask();
        nanos.addAndGet(ProcessCheck.LONG.minusSeconds(1).toNanos());
        assertThat(check.call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        loops.ask();
        assertThat(check.call().getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);

        end.countDown();
        Awaitility.await()
                .untilAsserted(() -> assertThat(check.call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP));
        var _ = busy.shutdownGracefully();
        var _ = idle.shutdownGracefully();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void memoryIsNotReadyOnceItHasBeenExhaustedForLong() throws Exception {
        MemoryPool pool = new MemoryPool(4 << 20, Duration.ofMillis(1), nanos::get);
        MemoryCheck check = new MemoryCheck(pool);
        BlockMemory all = pool.allocate(4 << 20);
        exhaust(pool);
        assertThat(check.isUp()).isTrue();

        nanos.addAndGet(MemoryCheck.LONG.toNanos());
        exhaust(pool);
        assertThat(check.isUp()).isFalse();
        assertThat(pool.refusals()).isEqualTo(2);

        all.release();
        assertThat(check.isUp()).isTrue();
    }

    @Test
    void memoryThatWasExhaustedBetweenTwoAllocationsIsReady() throws Exception {
        MemoryPool pool = new MemoryPool(4 << 20, Duration.ofMillis(1), nanos::get);
        BlockMemory all = pool.allocate(4 << 20);
        exhaust(pool);
        all.release();
        BlockMemory most = pool.allocate(3 << 20);

        nanos.addAndGet(MemoryCheck.LONG.toNanos());

        assertThat(new MemoryCheck(pool).isUp()).isTrue();
        most.release();
    }

    private static void exhaust(MemoryPool pool) {
        assertThatExceptionOfType(MemoryExhaustedException.class).isThrownBy(() -> pool.allocate(1 << 20));
    }

    @Test
    void aProcessThatHasNeverHeardWhoMayDoWhatIsNotReadyAndOneThatHasIsForGood() {
        try (ControlPlaneFixture fixture = new ControlPlaneFixture()) {
            fixture.peer().close();
            AccountsCheck never = new AccountsCheck(fixture.open());
            assertThat(never.call().getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
            assertThat(never.call().getData().orElseThrow())
                    .containsEntry("source", "control plane")
                    .containsEntry("watch", "not connected")
                    .containsEntry("confirmed", "never");
        }
        try (ControlPlaneFixture fixture = new ControlPlaneFixture()) {
            ControlPlaneAccountResolver resolver = fixture.watching();
            AccountsCheck once = new AccountsCheck(resolver);
            assertThat(once.call().getData().orElseThrow())
                    .containsEntry("watch", "connected")
                    .containsEntry("confirmed", "0 s ago");

            fixture.peer().close();
            Awaitility.await().until(() -> !resolver.isWatching());
            fixture.advance(Duration.ofDays(2));

            assertThat(once.call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
            assertThat(once.call().getData().orElseThrow())
                    .containsEntry("confirmed", "172800 s ago")
                    .hasEntrySatisfying(
                            "reason", reason -> assertThat((String) reason).startsWith("UNAVAILABLE"));
        }
    }

    @Test
    void everyMeterOfTheControlPlaneIsInTheHandbook() throws IOException {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        String handbook = Files.readString(Path.of("../docs/operations/metrics.md"));
        try (ControlPlaneFixture fixture = new ControlPlaneFixture()) {
            AccountsMeters.register(fixture.watching(), meters);

            assertThat(meters.find("kvstore.account.watch.connected").gauge())
                    .isNotNull()
                    .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(1));
        }
        assertThat(meters.getMeters())
                .hasSize(8)
                .allSatisfy(meter ->
                        assertThat(handbook).contains(meter.getId().getName().replace('.', '_')));
    }

    @Test
    void aStoreThatFailsIsCountedAndNotNamedUntilItAnswersAndTheProcessStaysReady() throws Exception {
        StoreConditions conditions = new StoreConditions(() -> Instant.ofEpochSecond(0, nanos.get()));
        StorageLocation broken = new StorageLocation.Azure(
                URI.create("https://prod.example.org"),
                "blocks",
                new CredentialReference.EnvironmentVariable("KVSTORE_SECRET"),
                false);
        StorageLocation fine = new StorageLocation.Filesystem(Path.of("fine"));
        StorageCheck check = new StorageCheck(conditions);
        conditions.of(fine).succeeded();
        conditions.of(broken).failed(StorageException.Kind.UNAVAILABLE);
        nanos.addAndGet(Duration.ofSeconds(7).toNanos());
        conditions.of(broken).failed(StorageException.Kind.THROTTLED);

        HealthCheckResponse failing = check.call();
        assertThat(failing.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(failing.getData().orElseThrow()).isEqualTo(Map.of("stores", 2L, "failing", 1L));
        assertThat(conditions.failing()).containsEntry("prod.example.org/blocks", "throttled for 7 s");

        new MeteredStore(new MemoryStore(), conditions.of(broken), new SimpleMeterRegistry()).exists("kv/v1/a");
        assertThat(check.call().getData().orElseThrow()).containsEntry("failing", 0L);
    }
}
