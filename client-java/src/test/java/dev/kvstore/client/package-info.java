@NullMarked
package dev.kvstore.client;

import org.jspecify.annotations.NullMarked;
