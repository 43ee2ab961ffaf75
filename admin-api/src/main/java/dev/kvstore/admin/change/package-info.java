/** Every change: who made it, when, from what to what; what data planes hear of, and what admins read. */
@NullMarked
package dev.kvstore.admin.change;

import org.jspecify.annotations.NullMarked;
