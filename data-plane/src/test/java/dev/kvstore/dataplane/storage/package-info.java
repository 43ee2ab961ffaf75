/** What every backend promises, and what each adds. */
@NullMarked
package dev.kvstore.dataplane.storage;

import org.jspecify.annotations.NullMarked;
