/** From a credential and a resource name to an account, its rights and its store. */
@NullMarked
package dev.kvstore.dataplane.account;

import org.jspecify.annotations.NullMarked;
