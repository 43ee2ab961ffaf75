/** Purges: blocks of an account that an admin has removed from all storages, memories and disks. */
@NullMarked
package dev.kvstore.control.purge;

import org.jspecify.annotations.NullMarked;
