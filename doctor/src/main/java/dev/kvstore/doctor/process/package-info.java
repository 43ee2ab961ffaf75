/** Looks at a data plane of this machine as Linux sees it: its settings, limits, memory and CPUs. */
@NullMarked
package dev.kvstore.doctor.process;

import org.jspecify.annotations.NullMarked;
