/**
 * A machine as a whole: the health of all its data planes, their drain, and the events that Azure has scheduled for it.
 */
@NullMarked
package dev.kvstore.launcher.machine;

import org.jspecify.annotations.NullMarked;
