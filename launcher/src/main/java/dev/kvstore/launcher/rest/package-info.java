/** A control plane's REST API, as an admin calls it. */
@NullMarked
package dev.kvstore.launcher.rest;

import org.jspecify.annotations.NullMarked;
