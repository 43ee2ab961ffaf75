package dev.kvstore.control.warming;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a warming. */
public enum WarmingState {
    /** The warming's blocks are being selected. */
    @JsonProperty("planning")
    PLANNING,
    /** Blocks are being copied. */
    @JsonProperty("running")
    RUNNING,
    /** The round is done, and the next one comes later. */
    @JsonProperty("waiting")
    WAITING,
    /** An admin has paused the warming. */
    @JsonProperty("paused")
    PAUSED,
    /** Every block was copied, or was there already. */
    @JsonProperty("done")
    DONE,
    /** Every block was copied or was there already, except those that failed. */
    @JsonProperty("partial")
    PARTIAL,
    /** An admin ended the warming; copied blocks stay. */
    @JsonProperty("cancelled")
    CANCELLED,
    /** The warming could not go on; its flaw says why. */
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
