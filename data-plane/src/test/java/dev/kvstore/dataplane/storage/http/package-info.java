@NullMarked
package dev.kvstore.dataplane.storage.http;

import org.jspecify.annotations.NullMarked;
