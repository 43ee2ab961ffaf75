/** Models, and how many bytes of KV cache one token takes. */
@NullMarked
package dev.kvstore.benchmark.kvcache.model;

import org.jspecify.annotations.NullMarked;
