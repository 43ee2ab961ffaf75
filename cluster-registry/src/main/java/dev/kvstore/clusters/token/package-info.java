/** Join tokens: what lets a process be a data plane of one cluster. */
@NullMarked
package dev.kvstore.clusters.token;

import org.jspecify.annotations.NullMarked;
