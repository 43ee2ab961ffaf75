package dev.kvstore.control.warming;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How near blocks are to be where they are copied to. */
public enum Preheat {
    /** In storage alone. */
    @JsonProperty("storage")
    STORAGE,
    /** On local disks, too, as far as there is room. */
    @JsonProperty("disk")
    DISK,
    /** In memory, too, as far as there is room, else on local disks. */
    @JsonProperty("memory")
    MEMORY
}
