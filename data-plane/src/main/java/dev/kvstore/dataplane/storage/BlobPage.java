package dev.kvstore.dataplane.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a listing.
 *
 * @param next where the next page begins, or null if this is the last
 */
public record BlobPage(List<Listed> blobs, @Nullable String next) {
    public BlobPage {
        blobs = List.copyOf(blobs);
    }

    /** The names of the blobs. */
    public List<String> names() {
        return blobs.stream().map(Listed::name).toList();
    }
}
