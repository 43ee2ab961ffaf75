package dev.kvstore.clusters.token;

import java.util.Set;

/**
 * This process changed join tokens. Fired within the transaction that did so.
 *
 * @param revoked ids of the tokens that were revoked
 */
public record JoinTokensChanged(Set<String> revoked) {}
