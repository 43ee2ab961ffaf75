@NullMarked
package dev.kvstore.benchmark.report;

import org.jspecify.annotations.NullMarked;
