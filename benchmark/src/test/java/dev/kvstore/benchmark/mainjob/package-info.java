@NullMarked
package dev.kvstore.benchmark.mainjob;

import org.jspecify.annotations.NullMarked;
