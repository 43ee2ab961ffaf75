@NullMarked
package dev.kvstore.listener;

import org.jspecify.annotations.NullMarked;
