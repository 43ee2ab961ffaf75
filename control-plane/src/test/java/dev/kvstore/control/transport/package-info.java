/** Tests of the limits that keep one caller from taking the control plane from others. */
@NullMarked
package dev.kvstore.control.transport;

import org.jspecify.annotations.NullMarked;
