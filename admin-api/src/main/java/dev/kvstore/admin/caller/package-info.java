/** Who asks, and what they may. */
@NullMarked
package dev.kvstore.admin.caller;

import org.jspecify.annotations.NullMarked;
