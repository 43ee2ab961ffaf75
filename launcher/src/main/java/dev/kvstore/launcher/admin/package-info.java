/** {@code kv admin}: the control plane's REST API on the command line, and its client. */
@NullMarked
package dev.kvstore.launcher.admin;

import org.jspecify.annotations.NullMarked;
