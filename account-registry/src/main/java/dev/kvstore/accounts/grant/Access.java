package dev.kvstore.accounts.grant;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The operations on blocks that a grant allows. */
public enum Access {
    /** The grantee looks blocks up and reads them. */
    @JsonProperty("read")
    READ,
    @JsonProperty("write")
    WRITE
}
