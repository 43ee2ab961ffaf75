/**
 * The parts that the listeners of both programs share: their connections and the choice of those that make room, calls
 * of strangers, shares of slots, load balancers, and TLS from files that are followed.
 */
@NullMarked
package dev.kvstore.listener;

import org.jspecify.annotations.NullMarked;
