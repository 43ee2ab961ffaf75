package dev.kvstore.clusters.token;

import java.util.Set;

/**
 * The event that this process changed join tokens. It is fired within the transaction that did so.
 *
 * @param revoked ids of the tokens that were revoked
 */
public record JoinTokensChanged(Set<String> revoked) {}
