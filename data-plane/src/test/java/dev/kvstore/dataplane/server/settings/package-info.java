/** Tests of settings of a data plane: flags, environment variables and their ranges. */
@NullMarked
package dev.kvstore.dataplane.server.settings;

import org.jspecify.annotations.NullMarked;
