/** Measures the memory that blocks and tenants take of a data plane. */
@NullMarked
package dev.kvstore.benchmark.memory;

import org.jspecify.annotations.NullMarked;
