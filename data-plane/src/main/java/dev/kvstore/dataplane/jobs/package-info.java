/** The parts that the jobs of a data plane share: their threads, their calls to the control plane, their pauses. */
@NullMarked
package dev.kvstore.dataplane.jobs;

import org.jspecify.annotations.NullMarked;
