/** Looks at a whole fleet, as the control plane's REST API tells of it. */
@NullMarked
package dev.kvstore.doctor.fleet;

import org.jspecify.annotations.NullMarked;
