/** Looks at variables: those of an engine, and settings of the programs in a container's environment. */
@NullMarked
package dev.kvstore.doctor.environment;

import org.jspecify.annotations.NullMarked;
