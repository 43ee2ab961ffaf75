/** Join tokens, with which a process becomes a data plane of one cluster. */
@NullMarked
package dev.kvstore.clusters.token;

import org.jspecify.annotations.NullMarked;
