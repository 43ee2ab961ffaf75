/** Authentication of callers: the local admin token, OIDC, data planes. */
@NullMarked
package dev.kvstore.control.security;

import org.jspecify.annotations.NullMarked;
