/** What the gRPC listeners of both programs share: connections that come through a load balancer. */
@NullMarked
package dev.kvstore.listener;

import org.jspecify.annotations.NullMarked;
