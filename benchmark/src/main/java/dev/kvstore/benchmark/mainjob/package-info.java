/** {@code kv bench main-job}: how fast a data plane looks up, reads and writes, on this machine. */
@NullMarked
package dev.kvstore.benchmark.mainjob;

import org.jspecify.annotations.NullMarked;
