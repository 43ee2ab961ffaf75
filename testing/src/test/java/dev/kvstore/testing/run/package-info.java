@NullMarked
package dev.kvstore.testing.run;

import org.jspecify.annotations.NullMarked;
