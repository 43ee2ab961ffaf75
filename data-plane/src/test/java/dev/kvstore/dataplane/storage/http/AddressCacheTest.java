package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

final class AddressCacheTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final InetAddress OLD = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress NEW = InetAddress.ofLiteral("192.0.2.2");

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicReference<AddressCache.AddressLookup> lookup =
            new AtomicReference<>(_ -> new InetAddress[] {OLD});
    private final AddressCache names = new AddressCache(
            TTL,
            host -> {
                lookups.incrementAndGet();
                return lookup.get().find(host);
            },
            now::get,
            Runnable::run);

    @Test
    void aNameIsLookedUpOnceInItsTimeToLive() {
        assertThat(addresses()).containsExactly(OLD);
        now.addAndGet(TTL.toNanos() - 1);
        assertThat(addresses()).containsExactly(OLD);

        assertThat(lookups).hasValue(1);
    }

    @Test
    void aNameIsLookedUpAgainAfterItsTimeToLive() {
        addresses();
        lookup.set(_ -> new InetAddress[] {NEW});
        now.addAndGet(TTL.toNanos() + 1);
        addresses();

        assertThat(addresses()).containsExactly(NEW);
        assertThat(lookups).hasValue(2);
    }

    @Test
    void aNameStaysKnownWhileNobodyAnswers() {
        addresses();
        lookup.set(host -> {
            throw new UnknownHostException(host);
        });
        now.addAndGet(TTL.toNanos() + 1);

        assertThat(addresses()).containsExactly(OLD);
        assertThat(addresses()).containsExactly(OLD);
    }

    @Test
    void aNameThatWasNotFoundIsLookedUpAtOnceAgain() {
        lookup.set(host -> {
            throw new UnknownHostException(host);
        });
        assertThatThrownBy(this::addresses).hasCauseInstanceOf(UnknownHostException.class);
        lookup.set(_ -> new InetAddress[] {NEW});

        assertThat(addresses()).containsExactly(NEW);
    }

    @Test
    void namesWhoseServersDoNotAnswerTakeALimitedNumberOfThreads() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AddressCache system = new AddressCache(
                TTL,
                host -> {
                    if (!host.equals("known.example")) {
                        running.incrementAndGet();
                        await(gate);
                        running.decrementAndGet();
                    }
                    return new InetAddress[] {OLD};
                },
                now::get,
                AddressCache.threads());
        assertThat(system.addresses("known.example").join()).containsExactly(OLD);

        List<CompletableFuture<List<InetAddress>>> silent = IntStream.range(0, AddressCache.MOST_LOOKUPS + 100)
                .mapToObj(i -> system.addresses("silent-" + i + ".example"))
                .toList();
        Awaitility.await().untilAtomic(running, Matchers.greaterThanOrEqualTo(AddressCache.MOST_LOOKUPS));

        assertThat(running).hasValue(AddressCache.MOST_LOOKUPS);
        assertThat(system.addresses("known.example").join()).containsExactly(OLD);
        gate.countDown();
        assertThat(silent).allSatisfy(each -> assertThat(each.join()).containsExactly(OLD));
    }

    private static void await(CountDownLatch gate) throws UnknownHostException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new UnknownHostException("interrupted");
        }
    }

    private List<InetAddress> addresses() {
        return names.addresses("account.example").join();
    }
}
