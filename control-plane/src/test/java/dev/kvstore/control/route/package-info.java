@NullMarked
package dev.kvstore.control.route;

import org.jspecify.annotations.NullMarked;
