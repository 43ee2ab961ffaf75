package dev.kvstore.control.purge;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a purge. */
public enum PurgeState {
    /** Data planes are being told, so that none copies these blocks from one region to another. */
    @JsonProperty("telling")
    TELLING,
    /** Data planes delete in the storages of all regions. */
    @JsonProperty("deleting")
    DELETING,
    /** Storages are finished; data planes forget the blocks in memory and on disk. */
    @JsonProperty("forgetting")
    FORGETTING,
    /** No block that was stored before is served any more. */
    @JsonProperty("done")
    DONE,
    /** As done, except for blocks that could not be deleted from storage: they can be read again. */
    @JsonProperty("partial")
    PARTIAL,
    /** An admin ended it; deleted blocks stay deleted. */
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
