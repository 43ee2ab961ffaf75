@NullMarked
package dev.kvstore.dataplane.jobs;

import org.jspecify.annotations.NullMarked;
