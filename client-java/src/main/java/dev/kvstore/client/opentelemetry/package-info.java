/** Meters of a client for applications with OpenTelemetry. */
@NullMarked
package dev.kvstore.client.opentelemetry;

import org.jspecify.annotations.NullMarked;
