/** Requests from files: conversations in ShareGPT's form, traces in BurstGPT's. */
@NullMarked
package dev.kvstore.benchmark.kvcache.replay;

import org.jspecify.annotations.NullMarked;
