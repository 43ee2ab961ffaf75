/** The REST API's description of itself. */
@NullMarked
package dev.kvstore.control.rest;

import org.jspecify.annotations.NullMarked;
