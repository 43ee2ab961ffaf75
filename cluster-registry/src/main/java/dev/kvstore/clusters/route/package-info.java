/** Routes: the data planes that serve an account for a client, computed by pure functions of the fleet. */
@NullMarked
package dev.kvstore.clusters.route;

import org.jspecify.annotations.NullMarked;
