@NullMarked
package dev.kvstore.client.micrometer;

import org.jspecify.annotations.NullMarked;
