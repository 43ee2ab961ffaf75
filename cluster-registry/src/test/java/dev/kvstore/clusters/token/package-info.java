@NullMarked
package dev.kvstore.clusters.token;

import org.jspecify.annotations.NullMarked;
