@NullMarked
package dev.kvstore.control.rest;

import org.jspecify.annotations.NullMarked;
