@NullMarked
package dev.kvstore.client.opentelemetry;

import org.jspecify.annotations.NullMarked;
