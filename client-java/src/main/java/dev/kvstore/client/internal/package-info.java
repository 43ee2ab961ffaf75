/**
 * The inside of the SDK, which is no public API: anything here may change with any release.
 *
 * <p>{@code FollowingSslContext} is written a second time for the servers' listeners. The SDK's jar runs on Java 17 and
 * carries the module {@code protocol} alone, which knows no transport; the servers do not depend on the SDK.
 */
@NullMarked
package dev.kvstore.client.internal;

import org.jspecify.annotations.NullMarked;
