/**
 * The uses of an account's blocks in a region: data planes report them, and the control plane merges and shows them.
 */
@NullMarked
package dev.kvstore.control.heat;

import org.jspecify.annotations.NullMarked;
