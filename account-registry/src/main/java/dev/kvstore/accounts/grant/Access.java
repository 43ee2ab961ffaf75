package dev.kvstore.accounts.grant;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What can be done with blocks. */
public enum Access {
    /** Look them up and read them. */
    @JsonProperty("read")
    READ,
    @JsonProperty("write")
    WRITE
}
