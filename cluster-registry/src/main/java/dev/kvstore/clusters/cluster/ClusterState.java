package dev.kvstore.clusters.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The present use of a cluster. */
public enum ClusterState {
    /** Being set up: takes nothing yet. */
    @JsonProperty("provisioning")
    PROVISIONING,
    @JsonProperty("active")
    ACTIVE,
    /** Takes no new accounts, and goes on serving its own. */
    @JsonProperty("draining")
    DRAINING,
    @JsonProperty("offline")
    OFFLINE
}
