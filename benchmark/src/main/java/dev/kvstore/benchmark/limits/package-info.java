/**
 * {@code kv bench limits}: how near the data path is to what the machine gives, each figure beside its goal. The
 * clients are those of {@code mainjob}; their figures are compared with the machine's own files, read and written
 * directly.
 */
@NullMarked
package dev.kvstore.benchmark.limits;

import org.jspecify.annotations.NullMarked;
