/** How the SDK works inside. Nobody else's: anything here may change with any release. */
@NullMarked
package dev.kvstore.client.internal;

import org.jspecify.annotations.NullMarked;
