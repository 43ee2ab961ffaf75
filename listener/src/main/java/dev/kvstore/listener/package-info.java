/**
 * The parts that the listeners of both programs share: connections that come through a load balancer, and TLS from
 * files that are followed.
 */
@NullMarked
package dev.kvstore.listener;

import org.jspecify.annotations.NullMarked;
