/** What a caller is told when a request is not done, as RFC 9457 has it. */
@NullMarked
package dev.kvstore.admin.problem;

import org.jspecify.annotations.NullMarked;
