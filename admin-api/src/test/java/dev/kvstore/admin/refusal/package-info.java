/** Tests of what callers were refused. */
@NullMarked
package dev.kvstore.admin.refusal;

import org.jspecify.annotations.NullMarked;
