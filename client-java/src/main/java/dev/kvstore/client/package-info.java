/** The Java SDK of KV Store: looks up, reads and writes blocks of a prompt's key-value cache. */
@NullMarked
package dev.kvstore.client;

import org.jspecify.annotations.NullMarked;
