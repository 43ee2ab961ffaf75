package dev.kvstore.control.warming;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a warming. */
public enum WarmingState {
    /** Its blocks are being selected. */
    @JsonProperty("planning")
    PLANNING,
    /** Blocks are being copied. */
    @JsonProperty("running")
    RUNNING,
    /** The round is done, and the next one comes later. */
    @JsonProperty("waiting")
    WAITING,
    /** An admin has paused it. */
    @JsonProperty("paused")
    PAUSED,
    /** Every block was copied, or was there. */
    @JsonProperty("done")
    DONE,
    /** Every block was copied or was there, except those that failed. */
    @JsonProperty("partial")
    PARTIAL,
    /** An admin ended it; copied blocks stay. */
    @JsonProperty("cancelled")
    CANCELLED,
    /** It could not go on; its flaw says why. */
    @JsonProperty("failed")
    FAILED;

    /** Whether the warming is over. */
    public boolean isOver() {
        return switch (this) {
            case PLANNING, RUNNING, WAITING, PAUSED -> false;
            case DONE, PARTIAL, CANCELLED, FAILED -> true;
        };
    }
}
