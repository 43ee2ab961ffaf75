package dev.kvstore.accounts.account;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether the storage of an account in a region can be used. */
public enum ReplicaState {
    /** Nobody has tried the storage yet. */
    @JsonProperty("unproven")
    UNPROVEN,
    /** A data plane has found the nonce in the storage, and has written, read and deleted a blob. */
    @JsonProperty("ready")
    READY,
    /** The last trial failed; its report says where. The storage is tried again. */
    @JsonProperty("failing")
    FAILING
}
