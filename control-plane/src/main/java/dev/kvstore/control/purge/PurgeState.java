package dev.kvstore.control.purge;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How far a purge is. */
public enum PurgeState {
    /** Data planes are being told, so that none copies these blocks from one region to another. */
    @JsonProperty("telling")
    TELLING,
    /** Data planes delete in the storages of all regions. */
    @JsonProperty("deleting")
    DELETING,
    /** Storage is gone through: data planes forget what they hold in memory and on disk. */
    @JsonProperty("forgetting")
    FORGETTING,
    /** No block that was stored before is served any more. */
    @JsonProperty("done")
    DONE,
    /** The same, but for blocks that storage did not let go of: they can be read again. */
    @JsonProperty("partial")
    PARTIAL,
    /** An admin ended it; what was deleted stays deleted. */
    @JsonProperty("cancelled")
    CANCELLED;

    /** Whether it stays as it is. */
    public boolean isOver() {
        return switch (this) {
            case TELLING, DELETING, FORGETTING -> false;
            case DONE, PARTIAL, CANCELLED -> true;
        };
    }
}
