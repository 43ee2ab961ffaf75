/** The inside of the SDK, which is no public API: anything here may change with any release. */
@NullMarked
package dev.kvstore.client.internal;

import org.jspecify.annotations.NullMarked;
