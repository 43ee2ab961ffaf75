/** {@code kv bench attack}: strangers and a hostile tenant against a stack of its own, beside an honest client. */
@NullMarked
package dev.kvstore.benchmark.attack;

import org.jspecify.annotations.NullMarked;
