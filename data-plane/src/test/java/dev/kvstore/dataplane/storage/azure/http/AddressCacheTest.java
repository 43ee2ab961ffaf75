package dev.kvstore.dataplane.storage.azure.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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

    private List<InetAddress> addresses() {
        return names.addresses("account.example").join();
    }
}
