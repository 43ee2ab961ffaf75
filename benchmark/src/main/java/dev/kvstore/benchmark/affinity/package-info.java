/** How conversations spread over processes, and what keeping them where they were is worth. */
@NullMarked
package dev.kvstore.benchmark.affinity;

import org.jspecify.annotations.NullMarked;
