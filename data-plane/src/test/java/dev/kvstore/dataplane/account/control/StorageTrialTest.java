package dev.kvstore.dataplane.account.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageInspection;
import dev.kvstore.dataplane.storage.StorageTrait;
import dev.kvstore.dataplane.storage.StorageTrait.TraitName;
import dev.kvstore.protocol.control.v1.AzureStorage;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ProbeStep.Name;
import dev.kvstore.protocol.control.v1.Storage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The report on storage that can be used, and on storage that cannot, by the step that fails. */
final class StorageTrialTest {
    private final MemoryStore blobs = new MemoryStore();
    private final MemoryPool memory = new MemoryPool(1 << 20, Duration.ofSeconds(5));

    @Test
    void storageThatDoesEverythingPassesEveryStepAndIsLeftAsItWas() {
        put("proof", "nonce\n");

        List<ProbeStep> steps = tried(blobs);

        assertThat(steps)
                .allMatch(ProbeStep::getOk)
                .extracting(ProbeStep::getName)
                .containsExactly(stepsTo(Name.DELETE));
        assertThat(blobs.list("", null, 10).names()).containsExactly("proof");
        assertThat(memory.usedBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"CREDENTIAL", "OWNERSHIP", "WRITE", "READ", "DELETE"})
    void theStepThatStorageRefusesIsTheLastAndSaysWhy(Name broken) {
        put("proof", "nonce");

        List<ProbeStep> steps = tried(new Refusing(blobs, broken));

        assertThat(steps).extracting(ProbeStep::getName).containsExactly(stepsTo(broken));
        assertThat(steps.subList(0, steps.size() - 1)).allMatch(ProbeStep::getOk);
        assertThat(steps.getLast().getOk()).isFalse();
        assertThat(steps.getLast().getReason()).isEqualTo("FORBIDDEN: not " + broken);
    }

    @Test
    void storageThatLetsNoBlobBeReplacedFailsTheWriteAndNamesTheCause() {
        put("proof", "nonce");
        BlockStore held = new HookedStore(blobs)
                .before((operation, name) -> {
                    if (operation.equals("putIfMatch")) {
                        throw StorageException.held(name, "refuses to replace or delete blobs (Code): a policy");
                    }
                })
                .store();

        List<ProbeStep> steps = tried(held);

        assertThat(steps).extracting(ProbeStep::getName).containsExactly(stepsTo(Name.WRITE));
        assertThat(steps.getLast().getReason())
                .startsWith("HELD: kv/v1/probe/")
                .endsWith("storage refuses to replace or delete blobs (Code): a policy");
        assertThat(blobs.list("", null, 10).names()).containsExactly("proof");
    }

    @Test
    void settingsOfTheStorageAreSeenBeforeAndAfterTheBlobIsDeleted() {
        put("proof", "nonce");
        SeenSettings seen = new SeenSettings(blobs);

        StorageTrial.TrialResult result =
                trial(new StoreCache(_ -> seen.over(blobs))).of(probe());

        assertThat(result.steps()).allMatch(ProbeStep::getOk);
        assertThat(result.traits())
                .containsExactly(
                        StorageTrait.seen(TraitName.VERSIONING, true), StorageTrait.seen(TraitName.SOFT_DELETE, false));
    }

    @Test
    void settingsAreSeenWhereABlobMayNotBeReplacedSinceAPolicyMayBeTheReason() {
        put("proof", "nonce");
        BlockStore held = new HookedStore(blobs)
                .before((operation, name) -> {
                    if (operation.equals("putIfMatch")) {
                        throw StorageException.held(name, "a policy");
                    }
                })
                .store();

        StorageTrial.TrialResult result =
                trial(new StoreCache(_ -> new SeenSettings(blobs).over(held))).of(probe());

        assertThat(result.traits()).containsExactly(StorageTrait.seen(TraitName.VERSIONING, true));
    }

    @Test
    void nothingIsToldOfSettingsBeforeItIsProvenWhoseTheStorageIs() {
        StorageTrial.TrialResult result =
                trial(new StoreCache(_ -> new SeenSettings(blobs).over(blobs))).of(probe());

        assertThat(result.steps().getLast().getName()).isEqualTo(Name.OWNERSHIP);
        assertThat(result.traits()).isEmpty();
    }

    @Test
    void storageThatDoesNotAnswerIsAskedNothingMore() {
        put("proof", "nonce");
        BlockStore away = new HookedStore(blobs)
                .before((operation, _) -> {
                    if (operation.equals("putIfAbsent")) {
                        throw new StorageException(StorageException.Kind.UNAVAILABLE, "no answer", null);
                    }
                })
                .store();

        assertThat(trial(new StoreCache(_ -> new SeenSettings(blobs).over(away)))
                        .of(probe())
                        .traits())
                .isEmpty();
    }

    /** Settings that are seen while the blob of the trial is there, and others once it is gone. */
    private record SeenSettings(MemoryStore blobs) implements StorageInspection {
        BlockStore over(BlockStore store) {
            return (BlockStore) Proxy.newProxyInstance(
                    BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                        if (method.getName().equals("inspection")) {
                            return this;
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public List<StorageTrait> whileStored(String blob) {
            assertThat(blobs.list(blob, null, 10).names()).containsExactly(blob);
            return List.of(StorageTrait.seen(TraitName.VERSIONING, true));
        }

        @Override
        public List<StorageTrait> afterDeletion(String blob) {
            assertThat(blobs.list(blob, null, 10).names()).isEmpty();
            return List.of(StorageTrait.seen(TraitName.SOFT_DELETE, false));
        }
    }

    @Test
    void whatWasWrittenIsRemovedWhenItCannotBeRead() {
        put("proof", "nonce");

        var _ = tried(new Refusing(blobs, Name.READ));

        assertThat(blobs.list("", null, 10).names()).containsExactly("proof");
    }

    @Test
    void storageThatCannotBeOpenedFailsTheFirstStep() {
        StoreCache closed = new StoreCache(_ -> {
            throw new StorageException(StorageException.Kind.FORBIDDEN, "the variable SAS is not set", null);
        });

        assertThat(trial(closed).of(probe()).steps()).singleElement().satisfies(step -> {
            assertThat(step.getName()).isEqualTo(Name.CREDENTIAL);
            assertThat(step.getReason()).isEqualTo("FORBIDDEN: the variable SAS is not set");
        });
    }

    @Test
    void whatFailsUnexpectedlyIsReportedToo() {
        StoreCache broken = new StoreCache(_ -> {
            throw new IllegalStateException("a secret that is nobody's business");
        });

        assertThat(trial(broken).of(probe()).steps()).singleElement().satisfies(step -> {
            assertThat(step.getOk()).isFalse();
            assertThat(step.getReason()).isEqualTo("the data plane failed unexpectedly; its log says why");
        });
    }

    @Test
    void noContainerIsMadeBeforeItIsProvenWhoseItIs() {
        List<StorageLocation> opened = new ArrayList<>();
        StoreCache stores = new StoreCache(location -> {
            opened.add(location);
            return blobs;
        });
        Probe making = probe().toBuilder()
                .setStorage(Storage.newBuilder()
                        .setAzure(AzureStorage.newBuilder()
                                .setEndpoint("https://account.example.org")
                                .setContainer("blocks")
                                .setCredential("managed-identity")
                                .setCreateContainer(true)))
                .build();

        var _ = trial(stores).of(making);
        var _ = trial(stores)
                .of(making.toBuilder().clearNonceBlob().clearNonce().build());

        assertThat(opened)
                .extracting(location -> ((StorageLocation.Azure) location).createContainer())
                .containsExactly(false, true);
    }

    @Test
    void storageThatIsNoneFailsTheFirstStep() {
        Probe relative = probe().toBuilder()
                .setStorage(Storage.newBuilder()
                        .setFilesystem(FilesystemStorage.newBuilder().setPath("relative")))
                .build();

        assertThat(trial(new StoreCache(_ -> blobs)).of(relative).steps())
                .singleElement()
                .satisfies(step -> assertThat(step.getReason()).isEqualTo("storage.path: must be absolute"));
    }

    @Test
    void theJoinTokenIsNoStorageCredential() {
        Probe thief = probe().toBuilder()
                .setStorage(Storage.newBuilder()
                        .setAzure(AzureStorage.newBuilder()
                                .setEndpoint("https://elsewhere.example.org")
                                .setContainer("blocks")
                                .setCredential("env:KVSTORE_JOIN_TOKEN")))
                .build();

        assertThat(trial(new StoreCache(_ -> blobs)).of(thief).steps())
                .singleElement()
                .satisfies(step -> assertThat(step.getReason()).startsWith("storage.credential: "));
    }

    @Test
    void aNonceThatIsNotThereOrAnotherIsNoProof() {
        assertThat(tried(blobs).getLast().getReason()).isEqualTo("blob proof is not there, or empty");

        put("proof", "another");
        assertThat(tried(blobs).getLast().getReason()).isEqualTo("blob proof holds something else than was asked for");
        assertThat(tried(blobs)).hasSize(2);
    }

    @Test
    void aNonceInABlobOfNoUsableNameIsNoProof() {
        Probe odd = probe().toBuilder().setNonceBlob("../Proof").build();

        assertThat(trial(new StoreCache(_ -> blobs)).of(odd).steps().getLast().getReason())
                .contains("blob name");
    }

    private static Name[] stepsTo(Name last) {
        return Arrays.stream(Name.values())
                .filter(name -> name != Name.NAME_UNSPECIFIED && name != Name.UNRECOGNIZED)
                .filter(name -> name.compareTo(last) <= 0)
                .toArray(Name[]::new);
    }

    private void put(String name, String content) {
        var _ = blobs.putIfAbsent(name, ByteBuffer.wrap(content.getBytes(UTF_8)));
    }

    private List<ProbeStep> tried(BlockStore store) {
        return trial(new StoreCache(_ -> store)).of(probe()).steps();
    }

    private StorageTrial trial(StoreCache stores) {
        return new StorageTrial(stores, memory, () -> 0, new SplittableRandom(1));
    }

    private static Probe probe() {
        return Probe.newBuilder()
                .setId("p")
                .setStorage(Storage.newBuilder()
                        .setFilesystem(FilesystemStorage.newBuilder().setPath("/somewhere")))
                .setNonceBlob("proof")
                .setNonce("nonce")
                .build();
    }

    /** Storage whose owner forgot to allow one thing. */
    private record Refusing(BlockStore store, Name refused) implements BlockStore {
        private void allow(Name step) throws StorageException {
            if (step == refused) {
                throw new StorageException(StorageException.Kind.FORBIDDEN, "not " + step, null);
            }
        }

        @Override
        public boolean exists(String name) throws StorageException {
            allow(Name.CREDENTIAL);
            return store.exists(name);
        }

        @Override
        public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
                throws StorageException, MemoryExhaustedException {
            allow(name.equals("proof") ? Name.OWNERSHIP : Name.READ);
            return store.getRange(name, offset, length, allocator);
        }

        @Override
        public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
            allow(Name.WRITE);
            return store.putIfAbsent(name, content);
        }

        @Override
        public boolean deleteIfMatch(String name, String etag) throws StorageException {
            allow(Name.DELETE);
            return store.deleteIfMatch(name, etag);
        }

        @Override
        public @Nullable Got get(String name, int most, Allocator allocator)
                throws StorageException, MemoryExhaustedException {
            return store.get(name, most, allocator);
        }

        @Override
        public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
                throws StorageException, MemoryExhaustedException {
            return store.getIfChanged(name, etag, most, allocator);
        }

        @Override
        public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
            return store.putIfMatch(name, content, etag);
        }

        @Override
        public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
            return store.list(prefix, after, limit);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
