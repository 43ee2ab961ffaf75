/**
 * The control plane's answers on keys and accounts: asked for once, kept, forgotten when they change, and used without
 * the control plane.
 */
@NullMarked
package dev.kvstore.dataplane.account.control;

import org.jspecify.annotations.NullMarked;
