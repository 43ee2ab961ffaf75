package dev.kvstore.accounts.tenant;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a tenant's keys are good. */
public enum TenantState {
    @JsonProperty("active")
    ACTIVE,
    /** Its keys are refused until it is active again. */
    @JsonProperty("suspended")
    SUSPENDED,
    /** Its keys are refused, and its name stays taken: its blobs may still be there. */
    @JsonProperty("deleted")
    DELETED
}
