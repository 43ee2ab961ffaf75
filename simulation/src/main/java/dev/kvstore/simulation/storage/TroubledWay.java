package dev.kvstore.simulation.storage;

import dev.kvstore.simulation.storage.SimulatedContainer.StoredBlob;
import dev.kvstore.simulation.world.World;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The way of a host to storage, and the trouble on it. For the thread of its world. */
public final class TroubledWay {
    private final SplittableRandom random;
    private @Nullable StorageTrouble trouble;
    private double part;

    TroubledWay(SplittableRandom random) {
        this.random = random;
    }

    /**
     * Changes the trouble from now on.
     *
     * @param next the trouble; null for none
     * @param often the part of the calls that get the trouble, 0 to 1
     */
    public void trouble(@Nullable StorageTrouble next, double often) {
        trouble = next;
        part = often;
    }

    /** The trouble of a call; null for none. */
    @Nullable
    StorageTrouble of(String operation) {
        StorageTrouble now = trouble;
        if (now == null || !now.concerns(operation) || random.nextDouble() >= part) {
            return null;
        }
        World.current().happened("storage: " + now);
        return now;
    }

    /** A blob as it arrives after a trouble. */
    StoredBlob arriving(StoredBlob blob, @Nullable StorageTrouble happens) {
        if (blob.length() == 0) {
            return blob;
        }
        return switch (happens) {
            case FLIPPED -> blob.with(BlobDamage.FLIPPED.of(blob.bytes(), random));
            case SHORTENED -> blob.with(BlobDamage.CUT.of(blob.bytes(), random));
            case null, default -> blob;
        };
    }
}
