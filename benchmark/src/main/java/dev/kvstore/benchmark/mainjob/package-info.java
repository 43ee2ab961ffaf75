/** The main job, a data plane's lookups, reads and writes, as {@code kv bench limits} and {@code kv train} repeat it. */
@NullMarked
package dev.kvstore.benchmark.mainjob;

import org.jspecify.annotations.NullMarked;
