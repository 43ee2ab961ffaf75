/** Reads the bodies of requests: each field has one JSON type, and nothing is converted into another. */
@NullMarked
package dev.kvstore.admin.body;

import org.jspecify.annotations.NullMarked;
