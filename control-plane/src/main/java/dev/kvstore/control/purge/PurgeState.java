package dev.kvstore.control.purge;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a purge. */
public enum PurgeState {
    /**
     * The control plane tells data planes of the purge, so that none copies these blocks from one region to another.
     */
    @JsonProperty("telling")
    TELLING,
    /** Data planes delete in the storages of all regions. */
    @JsonProperty("deleting")
    DELETING,
    /** All storages are finished; data planes forget the blocks in memory and on disk. */
    @JsonProperty("forgetting")
    FORGETTING,
    /** No block that was stored before is served any more. */
    @JsonProperty("done")
    DONE,
    /** Some blocks could not be deleted from storage and can be read again; all others are purged. */
    @JsonProperty("partial")
    PARTIAL,
    /** An admin ended the purge; deleted blocks stay deleted. */
    @JsonProperty("cancelled")
    CANCELLED;

    /** Whether the purge is over. */
    public boolean isOver() {
        return switch (this) {
            case TELLING, DELETING, FORGETTING -> false;
            case DONE, PARTIAL, CANCELLED -> true;
        };
    }
}
