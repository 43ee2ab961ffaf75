package dev.kvstore.accounts.account;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether the storage of an account in a region can be used. */
public enum ReplicaState {
    /** Nobody has tried it yet. */
    @JsonProperty("unproven")
    UNPROVEN,
    /** A data plane has found the nonce there, and has written, read and deleted. */
    @JsonProperty("ready")
    READY,
    /** The last trial failed; its report says where. It is tried again. */
    @JsonProperty("failing")
    FAILING
}
