package dev.kvstore.control.warming;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The place at the destination to which blocks are loaded. */
public enum Preheat {
    /** Blocks are in storage alone. */
    @JsonProperty("storage")
    STORAGE,
    /** Blocks are also on local disks, as far as there is room. */
    @JsonProperty("disk")
    DISK,
    /** Blocks are also in memory, as far as there is room, else on local disks. */
    @JsonProperty("memory")
    MEMORY
}
