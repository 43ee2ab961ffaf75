package dev.kvstore.accounts.account;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether an account can be used. */
public enum AccountState {
    @JsonProperty("active")
    ACTIVE,
    /** Refused to everybody; name and places stay taken, since blobs may still be there. A PUT brings it back. */
    @JsonProperty("deleted")
    DELETED
}
