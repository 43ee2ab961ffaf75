package dev.kvstore.dataplane.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A credential that is replaced while its store is used. */
final class ReopeningStoreTest {
    private static final String NAME = "kv/v1/0a/block";

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger opened = new AtomicInteger();
    private final MemoryStore blobs = new MemoryStore();
    private int accepted = 1;
    private @Nullable StorageException away;

    @Test
    void whatIsRefusedForItsCredentialIsDoneWithTheNextOne() throws StorageException {
        BlockStore store = store();
        accepted = 2;
        clock.addAndGet(ReopeningStore.PAUSE.toNanos());

        assertThat(store.putIfAbsent(NAME, ByteBuffer.wrap(new byte[10]))).isInstanceOf(PutResult.Stored.class);

        assertThat(store.exists(NAME)).isTrue();
        assertThat(opened).hasValue(2);
    }

    @Test
    void aCredentialThatWasTakenAwayIsNotLookedUpForEachCall() throws StorageException {
        BlockStore store = store();
        accepted = 99;

        for (int i = 0; i < 100; i++) {
            assertRefused(store);
        }
        assertThat(opened).hasValue(1);
        clock.addAndGet(ReopeningStore.PAUSE.toNanos());
        for (int i = 0; i < 100; i++) {
            assertRefused(store);
        }
        assertThat(opened).hasValue(2);
    }

    @Test
    void whenThereIsNoOtherCredentialTheRefusalIsTold() throws StorageException {
        BlockStore store = store();
        accepted = 2;
        away = new StorageException(Kind.UNAVAILABLE, "the vault does not answer", null);
        clock.addAndGet(ReopeningStore.PAUSE.toNanos());

        assertRefused(store);

        away = null;
        clock.addAndGet(ReopeningStore.PAUSE.toNanos());
        assertThat(store.exists(NAME)).isFalse();
    }

    @Test
    void whatFailsOtherwiseIsNotRepeated() throws StorageException {
        BlockStore store = new ReopeningStore(
                () -> {
                    opened.incrementAndGet();
                    return refusing(Kind.UNAVAILABLE, 0);
                },
                clock::get);
        clock.addAndGet(ReopeningStore.PAUSE.toNanos());

        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> store.exists(NAME));

        assertThat(opened).hasValue(1);
    }

    private void assertRefused(BlockStore store) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.exists(NAME))
                .withMessage("not with this credential");
    }

    private ReopeningStore store() throws StorageException {
        return new ReopeningStore(
                () -> {
                    if (away != null) {
                        throw away;
                    }
                    return refusing(Kind.FORBIDDEN, opened.incrementAndGet());
                },
                clock::get);
    }

    /** A store whose calls fail unless its credential is the one that is accepted. */
    private BlockStore refusing(Kind kind, int credential) {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                    if (credential != accepted) {
                        throw new StorageException(kind, "not with this credential", null);
                    }
                    try {
                        return method.invoke(blobs, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
