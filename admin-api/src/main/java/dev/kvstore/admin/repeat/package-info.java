/** Repeated requests: by the service itself after contention, and by callers who lost an answer. */
@NullMarked
package dev.kvstore.admin.repeat;

import org.jspecify.annotations.NullMarked;
