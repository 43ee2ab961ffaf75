package dev.kvstore.dataplane.account.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageInspection;
import dev.kvstore.dataplane.storage.StorageTrait;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Tries whether a storage can be used: whether it accepts the credential, whether its owner put the nonce there, and
 * whether a small blob can be written, replaced, read and deleted. A trial ends with the first step that fails, and
 * then looks for settings of the storage that an admin should know of. Thread-safe.
 */
final class StorageTrial {
    private static final Logger LOG = System.getLogger(StorageTrial.class.getName());

    /** Most bytes that are read of a nonce; more than any nonce has. */
    private static final int MAX_NONCE_BYTES = 4096;

    private static final int PROBE_BYTES = 64;

    /** A step that storage accepted, but did wrong. The message is for an admin. */
    private static final class TrialFailure extends Exception {
        private static final long serialVersionUID = 1;

        TrialFailure(String reason) {
            super(reason, null, false, false);
        }
    }

    @FunctionalInterface
    private interface TrialStep {
        void run() throws TrialFailure, StorageException, MemoryExhaustedException;
    }

    private final StoreCache stores;
    private final Allocator allocator;
    private final Ticker ticker;
    private final RandomGenerator random;

    StorageTrial(StoreCache stores, Allocator allocator, Ticker ticker, RandomGenerator random) {
        this.stores = stores;
        this.allocator = allocator;
        this.ticker = ticker;
        this.random = random;
    }

    /**
     * Runs the steps of a trial. The answer has the steps that were run, in their order; the last one may have failed.
     */
    TrialResult of(Probe probe) {
        return new TrialRun(probe).run();
    }

    /**
     * The result of a trial.
     *
     * @param traits the visible settings that an admin should know of; empty until the storage's owner is proven, and
     *     where storage did not answer
     */
    record TrialResult(List<ProbeStep> steps, List<StorageTrait> traits) {}

    /** One trial. */
    private final class TrialRun {
        private final Probe probe;
        private final List<ProbeStep> done = new ArrayList<>();
        private final List<StorageTrait> traits = new ArrayList<>();

        /** Whether storage answered the last step: each question to a silent storage takes long. */
        private boolean answers = true;

        private final byte[] content = new byte[PROBE_BYTES];
        private final String name;
        private @Nullable BlockStore opened;
        private @Nullable String etag;

        TrialRun(Probe probe) {
            this.probe = probe;
            random.nextBytes(content);
            this.name = "kv/v1/probe/" + HexFormat.of().formatHex(content, 0, 16);
        }

        /** Whether an admin vouches for the place, so that no nonce is needed. */
        private boolean isVouchedFor() {
            return probe.getNonceBlob().isEmpty();
        }

        TrialResult run() {
            try {
                boolean _ = step(ProbeStep.Name.CREDENTIAL, this::credential)
                        && (isVouchedFor() || step(ProbeStep.Name.OWNERSHIP, this::ownership))
                        && use();
            } finally {
                close();
            }
            return new TrialResult(done, traits);
        }

        private boolean use() {
            boolean stored = step(ProbeStep.Name.WRITE, this::write) && step(ProbeStep.Name.READ, this::read);
            if (!answers) {
                return false;
            }
            // Settings are inspected after a refusal too: a policy may be the reason.
            StorageInspection inspection = store().inspection();
            look(() -> inspection.whileStored(name));
            boolean deleted = stored && step(ProbeStep.Name.DELETE, this::delete);
            if (deleted) {
                look(() -> inspection.afterDeletion(name));
            }
            return deleted;
        }

        private void look(Supplier<List<StorageTrait>> question) {
            try {
                traits.addAll(question.get());
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "settings of " + probe.getResourceName() + " were not seen", e);
            }
        }

        /** Runs a step; false if it failed. */
        private boolean step(ProbeStep.Name step, TrialStep trialStep) {
            long since = ticker.read();
            String reason = "";
            try {
                trialStep.run();
            } catch (StorageException e) {
                reason = e.kind() + ": " + e.getMessage();
                answers = !e.kind().passes();
            } catch (TrialFailure | MemoryExhaustedException | IllegalArgumentException e) {
                reason = String.valueOf(e.getMessage());
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "the trial of " + probe.getResourceName() + " failed unexpectedly", e);
                reason = "the data plane failed unexpectedly; its log says why";
            }
            done.add(ProbeStep.newBuilder()
                    .setName(step)
                    .setOk(reason.isEmpty())
                    .setReason(reason)
                    .setMillis((int) Math.min(Integer.MAX_VALUE, (ticker.read() - since) / 1_000_000))
                    .build());
            return reason.isEmpty();
        }

        private BlockStore store() {
            if (opened == null) {
                throw new IllegalStateException("the first step opens the store");
            }
            return opened;
        }

        /** Asks whether a blob exists, since opening a store alone does not call storage. */
        private void credential() throws StorageException {
            BlockStore store = stores.apart(location());
            opened = store;
            boolean _ = store.exists(name);
        }

        /** The location to try. Ownership must be proven before anything is made there. */
        private StorageLocation location() {
            StorageLocation location = StorageDecoder.location(probe.getStorage(), probe.getResourceName());
            return switch (location) {
                case StorageLocation.Filesystem folder -> folder;
                case StorageLocation.Azure place ->
                    new StorageLocation.Azure(
                            place.endpoint(),
                            place.container(),
                            place.credential(),
                            place.createContainer() && isVouchedFor());
            };
        }

        private void ownership() throws TrialFailure, StorageException, MemoryExhaustedException {
            Blob blob = store().getRange(probe.getNonceBlob(), 0, MAX_NONCE_BYTES, allocator);
            if (blob == null) {
                throw new TrialFailure("blob " + probe.getNonceBlob() + " is not there, or empty");
            }
            // A line's end, as editors leave it, does no harm.
            if (!new String(bytes(blob), UTF_8).strip().equals(probe.getNonce())) {
                throw new TrialFailure("blob " + probe.getNonceBlob() + " holds something else than was asked for");
            }
        }

        /** Writes and replaces a blob, as presence does: a right or a policy may allow new blobs alone. */
        private void write() throws TrialFailure, StorageException {
            if (!(store().putIfAbsent(name, ByteBuffer.wrap(content)) instanceof PutResult.Stored(String written))) {
                throw new TrialFailure("blob " + name + " is there already");
            }
            etag = written;
            if (!(store().putIfMatch(name, ByteBuffer.wrap(content), written)
                    instanceof PutResult.Stored(String replaced))) {
                throw new TrialFailure("blob " + name + " was changed by somebody else");
            }
            etag = replaced;
        }

        private void read() throws TrialFailure, StorageException, MemoryExhaustedException {
            Blob blob = store().getRange(name, 0, PROBE_BYTES, allocator);
            if (blob == null || !Arrays.equals(bytes(blob), content)) {
                throw new TrialFailure("blob " + name + " does not hold what was written");
            }
        }

        private void delete() throws TrialFailure, StorageException {
            String written = etag;
            etag = null;
            if (written == null || !store().deleteIfMatch(name, written)) {
                throw new TrialFailure("blob " + name + " was gone, or changed by somebody else");
            }
        }

        private static byte[] bytes(Blob blob) {
            try {
                byte[] bytes = new byte[blob.memory().length()];
                blob.memory().bytes().get(bytes);
                return bytes;
            } finally {
                blob.memory().release();
            }
        }

        /** Deletes the blobs of the trial, as far as storage allows. */
        private void close() {
            BlockStore store = opened;
            if (store == null) {
                return;
            }
            try {
                if (etag != null) {
                    boolean _ = store.deleteIfMatch(name, etag);
                }
            } catch (StorageException e) {
                // The step that failed has said why.
                etag = null;
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "a trial could not remove " + name + " from " + probe.getResourceName(), e);
            } finally {
                store.close();
            }
        }
    }
}
