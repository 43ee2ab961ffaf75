package dev.kvstore.accounts.account;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of an account. */
public enum AccountState {
    @JsonProperty("active")
    ACTIVE,
    /**
     * The account is refused to everybody. Its name and storages stay taken, since blobs may still be there. A PUT
     * brings the account back.
     */
    @JsonProperty("deleted")
    DELETED
}
