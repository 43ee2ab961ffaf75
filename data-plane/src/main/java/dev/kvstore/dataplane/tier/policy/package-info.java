/**
 * Chooses the blocks that a tier keeps and the blocks that leave: the choice alone, without memory, locks or I/O, so
 * that {@code kv bench replay --simulate} runs the very code that data planes run.
 */
@NullMarked
package dev.kvstore.dataplane.tier.policy;

import org.jspecify.annotations.NullMarked;
