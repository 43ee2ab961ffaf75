/** Which processes serve an account for a client: pure functions of the fleet. */
@NullMarked
package dev.kvstore.clusters.route;

import org.jspecify.annotations.NullMarked;
