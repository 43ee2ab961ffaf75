/** Problem documents of RFC 9457, which tell a caller why its request was not carried out. */
@NullMarked
package dev.kvstore.admin.problem;

import org.jspecify.annotations.NullMarked;
