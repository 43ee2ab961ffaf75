@NullMarked
package dev.kvstore.dataplane.storage.azure.http;

import org.jspecify.annotations.NullMarked;
