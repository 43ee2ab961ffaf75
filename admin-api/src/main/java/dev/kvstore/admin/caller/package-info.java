/** The callers of requests and their roles. */
@NullMarked
package dev.kvstore.admin.caller;

import org.jspecify.annotations.NullMarked;
