/** Blocks from another region's storage: looked for there when this region lacks them, verified, and stored here. */
@NullMarked
package dev.kvstore.dataplane.region;

import org.jspecify.annotations.NullMarked;
