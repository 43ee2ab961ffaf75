/** Meters of a client for applications with Micrometer. */
@NullMarked
package dev.kvstore.client.micrometer;

import org.jspecify.annotations.NullMarked;
