package dev.kvstore.accounts.grant;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The operations on blocks that a grant allows. */
public enum Access {
    /** Look them up and read them. */
    @JsonProperty("read")
    READ,
    @JsonProperty("write")
    WRITE
}
