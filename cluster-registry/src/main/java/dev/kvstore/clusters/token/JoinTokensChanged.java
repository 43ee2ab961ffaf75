package dev.kvstore.clusters.token;

import java.util.Set;

/**
 * This process changed join tokens. Fired within the transaction that did so.
 *
 * @param revoked the ids of those that are good no longer
 */
public record JoinTokensChanged(Set<String> revoked) {}
