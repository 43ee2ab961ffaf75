@NullMarked
package dev.kvstore.dataplane.service;

import org.jspecify.annotations.NullMarked;
