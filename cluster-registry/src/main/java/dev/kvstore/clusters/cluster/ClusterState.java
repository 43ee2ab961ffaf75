package dev.kvstore.clusters.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a cluster. */
public enum ClusterState {
    /** The cluster is being set up and takes nothing yet. */
    @JsonProperty("provisioning")
    PROVISIONING,
    @JsonProperty("active")
    ACTIVE,
    /** The cluster takes no new accounts, and goes on serving its own. */
    @JsonProperty("draining")
    DRAINING,
    @JsonProperty("offline")
    OFFLINE
}
