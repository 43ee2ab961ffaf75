/** Steps of one subject: injected faults, control planes, clients of the SDK. */
@NullMarked
package dev.kvstore.simulation.step.kind;

import org.jspecify.annotations.NullMarked;
