/**
 * The servers that {@code kv bench peers} brings along, each a program of its own that ends with its standard input.
 */
@NullMarked
package dev.kvstore.benchmark.peers.server;

import org.jspecify.annotations.NullMarked;
