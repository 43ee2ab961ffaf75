/** What blocks and tenants take of a data plane's memory. */
@NullMarked
package dev.kvstore.benchmark.memory;

import org.jspecify.annotations.NullMarked;
