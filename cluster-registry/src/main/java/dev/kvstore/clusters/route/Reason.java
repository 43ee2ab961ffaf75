package dev.kvstore.clusters.route;

/**
 * Why a cluster is in a route or out of it.
 *
 * @param text for people
 */
public record Reason(String cluster, String region, boolean routed, String text) {}
