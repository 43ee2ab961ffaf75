package dev.kvstore.dataplane.storage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Also holds the contract: to be counted changes nothing. */
class MeteredStoreTest extends BlockStoreContract {
    @TempDir
    Path folder;

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private Path root = Path.of("not opened yet");

    @Override
    protected BlockStore newStore() throws Exception {
        root = folder.resolve(UUID.randomUUID().toString());
        return new MeteredStore(FilesystemStore.open(root, InstantSource.system()), registry);
    }

    @Override
    protected void putBehindTheStore(String name, int length) throws Exception {
        BlobFiles.putZeros(root, name, length);
    }

    @Test
    void countsAndTimesCallsByOperation() throws Exception {
        store.exists("a");
        store.exists("b");
        store.list("", null, 10);

        assertThat(count("calls", "operation", "exists")).isEqualTo(2);
        assertThat(count("calls", "operation", "list")).isEqualTo(1);
        assertThat(count("calls", "operation", "get")).isZero();
        assertThat(registry.get("kvstore.storage.call.duration")
                        .tag("operation", "exists")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void countsBytesThatWereStoredAndThatWereRead() throws Exception {
        put("a", StoredContents.random(1, 1000));
        store.putIfAbsent("a", StoredContents.random(2, 5000));
        get("a").memory().release();
        requireNonNull(store.getRange("a", 900, 500, memory)).memory().release();

        assertThat(count("bytes", "direction", "written")).isEqualTo(1000);
        assertThat(count("bytes", "direction", "read")).isEqualTo(1100);
    }

    @Test
    void countsErrorsByKind() throws Exception {
        try (BlockStore other = newStore()) {
            assertThatExceptionOfType(StorageException.class).isThrownBy(() -> store.copyFrom(other, "a", memory));
        }

        assertThat(registry.get("kvstore.storage.errors")
                        .tags("operation", "copy_from", "error", "missing")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(count("calls", "operation", "copy_from")).isEqualTo(1);
    }

    @Test
    void aStoreThatLetsNoBlobBeReplacedIsNotFineForAnsweringAllElse() throws Exception {
        StoreCondition condition = new StoreCondition(InstantSource.system());
        HookedStore hooked = new HookedStore(store);
        BlockStore metered = new MeteredStore(hooked.store(), condition, registry);
        String etag = put("a", StoredContents.random(1, 1000));
        hooked.before((operation, name) -> {
            if (operation.equals("putIfMatch")) {
                throw StorageException.held(name, "refuses to replace or delete blobs");
            }
        });

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> metered.putIfMatch("a", StoredContents.random(2, 1000), etag));
        assertThat(metered.exists("a")).isTrue();
        assertThat(condition.flaw()).isEqualTo("held for 0 s");
        hooked.before(HookedStore.Hook.NOTHING);
        assertThat(metered.deleteIfMatch("a", etag)).isTrue();
        assertThat(condition.flaw()).isNull();
    }

    private double count(String meter, String tag, String value) {
        return registry.get("kvstore.storage." + meter)
                .tag(tag, value)
                .counter()
                .count();
    }
}
