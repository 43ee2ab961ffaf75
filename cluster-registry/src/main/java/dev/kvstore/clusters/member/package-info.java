/** Membership: processes join, send heartbeats, and are forgotten. */
@NullMarked
package dev.kvstore.clusters.member;

import org.jspecify.annotations.NullMarked;
