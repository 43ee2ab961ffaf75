/** {@code kv bench control}: how fast the control plane is with many accounts, and that data planes do without it. */
@NullMarked
package dev.kvstore.benchmark.control;

import org.jspecify.annotations.NullMarked;
