/** What comes from another region's storage: looked for there when it is not here, verified, and made durable here. */
@NullMarked
package dev.kvstore.dataplane.region;

import org.jspecify.annotations.NullMarked;
