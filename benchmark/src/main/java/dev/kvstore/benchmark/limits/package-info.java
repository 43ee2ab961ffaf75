/**
 * {@code kv bench limits}: how near the data path is to what the machine gives, each figure beside its goal. What clients do
 * is {@code mainjob}'s; what it is held against are the machine's own files, read and written directly.
 */
@NullMarked
package dev.kvstore.benchmark.limits;

import org.jspecify.annotations.NullMarked;
