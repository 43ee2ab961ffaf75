/** Who may use what, as the control plane says: asked once, kept, forgotten when it changes, and kept going without it. */
@NullMarked
package dev.kvstore.dataplane.account.control;

import org.jspecify.annotations.NullMarked;
