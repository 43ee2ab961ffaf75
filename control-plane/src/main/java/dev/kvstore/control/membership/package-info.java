/** Data planes join and are heard of: {@code kvstore.control.v1.MembershipService}. */
@NullMarked
package dev.kvstore.control.membership;

import org.jspecify.annotations.NullMarked;
