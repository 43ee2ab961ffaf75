/** Data planes join clusters, renew their leases and leave: {@code kvstore.control.v1.MembershipService}. */
@NullMarked
package dev.kvstore.control.membership;

import org.jspecify.annotations.NullMarked;
