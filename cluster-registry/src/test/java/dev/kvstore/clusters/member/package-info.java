@NullMarked
package dev.kvstore.clusters.member;

import org.jspecify.annotations.NullMarked;
