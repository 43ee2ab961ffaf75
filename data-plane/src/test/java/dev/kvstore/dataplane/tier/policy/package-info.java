@NullMarked
package dev.kvstore.dataplane.tier.policy;

import org.jspecify.annotations.NullMarked;
