package dev.kvstore.dataplane.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StoreCacheTest {
    private final AtomicLong clock = new AtomicLong();
    private final StoreCache stores = new StoreCache(_ -> new MemoryStore(), clock::get);

    @Test
    void aStoreIsOpenedOnceForAsLongAsItIsAskedFor() throws StorageException {
        BlockStore store = stores.store(account("a"));

        for (int i = 0; i < 10; i++) {
            clock.addAndGet(StoreCache.IDLE.minusNanos(1).toNanos());
            assertThat(stores.store(account("a"))).isSameAs(store);
        }
        assertThat(stores.size()).isEqualTo(1);
    }

    @Test
    void aStoreThatNobodyAsksForIsForgottenAndWhoHasItGoesOnWithIt() throws StorageException {
        BlockStore held = stores.store(account("a"));
        clock.addAndGet(StoreCache.IDLE.plus(Duration.ofNanos(1)).toNanos());

        assertThat(stores.size()).isZero();
        assertThat(stores.store(account("a"))).isNotSameAs(held);
        assertThat(held.exists("kv/v1/0a/block")).isFalse();
    }

    private static Account account(String name) {
        return new Account(name, "tenant", new StorageLocation.Filesystem(Path.of("/" + name)));
    }
}
