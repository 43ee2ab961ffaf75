package dev.kvstore.accounts.tenant;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a tenant, which decides whether its keys are good. */
public enum TenantState {
    @JsonProperty("active")
    ACTIVE,
    /** The tenant's keys are refused until it is active again. */
    @JsonProperty("suspended")
    SUSPENDED,
    /** The tenant's keys are refused. Its name stays taken, since its blobs may still exist. */
    @JsonProperty("deleted")
    DELETED
}
