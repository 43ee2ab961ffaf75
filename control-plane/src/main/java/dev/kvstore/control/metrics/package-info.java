/** All metrics of a control plane. Code that counts something registers its meters by this list. */
@NullMarked
package dev.kvstore.control.metrics;

import org.jspecify.annotations.NullMarked;
