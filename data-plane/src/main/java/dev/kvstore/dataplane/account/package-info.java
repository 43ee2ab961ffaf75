/** Who may use which storage: from a credential and a resource name to an account and its store. */
@NullMarked
package dev.kvstore.dataplane.account;

import org.jspecify.annotations.NullMarked;
