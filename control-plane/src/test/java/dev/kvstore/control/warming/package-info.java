@NullMarked
package dev.kvstore.control.warming;

import org.jspecify.annotations.NullMarked;
