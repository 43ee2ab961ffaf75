/** How processes join, are heard of, and are forgotten. */
@NullMarked
package dev.kvstore.clusters.member;

import org.jspecify.annotations.NullMarked;
