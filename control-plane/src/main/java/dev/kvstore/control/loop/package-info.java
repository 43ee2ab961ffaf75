/** Work that is done again and again for as long as the process runs. */
@NullMarked
package dev.kvstore.control.loop;

import org.jspecify.annotations.NullMarked;
