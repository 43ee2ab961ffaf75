/**
 * Requests of a real service, of which only is known when they came, how long they were and which blocks of their
 * prompts are equal: read from a file in Mooncake's form, or generated with the same statistics.
 */
@NullMarked
package dev.kvstore.benchmark.trace;

import org.jspecify.annotations.NullMarked;
