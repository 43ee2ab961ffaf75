package dev.kvstore.control.warming;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How far a warming is. */
public enum WarmingState {
    /** Which blocks it is about is being found out. */
    @JsonProperty("planning")
    PLANNING,
    /** Blocks are being copied. */
    @JsonProperty("running")
    RUNNING,
    /** What was planned is done, and it is planned anew later. */
    @JsonProperty("waiting")
    WAITING,
    /** An admin has it wait. */
    @JsonProperty("paused")
    PAUSED,
    /** Every block is there. */
    @JsonProperty("done")
    DONE,
    /** Every block is there but those that failed. */
    @JsonProperty("partial")
    PARTIAL,
    /** An admin ended it; what was copied stays. */
    @JsonProperty("cancelled")
    CANCELLED,
    /** It could not go on: its flaw says why. */
    @JsonProperty("failed")
    FAILED;

    /** Whether it stays as it is. */
    public boolean isOver() {
        return switch (this) {
            case PLANNING, RUNNING, WAITING, PAUSED -> false;
            case DONE, PARTIAL, CANCELLED, FAILED -> true;
        };
    }
}
