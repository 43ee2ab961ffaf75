/**
 * Which blocks a tier keeps and which leave: the choice alone, without memory, locks or I/O, so that
 * {@code kv bench replay --simulate} runs the very code that data planes run.
 */
@NullMarked
package dev.kvstore.dataplane.tier.policy;

import org.jspecify.annotations.NullMarked;
