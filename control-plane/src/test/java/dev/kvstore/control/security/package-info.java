/** Tests of who is a data plane. */
@NullMarked
package dev.kvstore.control.security;

import org.jspecify.annotations.NullMarked;
