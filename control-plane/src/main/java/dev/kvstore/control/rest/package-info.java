/** What the REST API says of itself. */
@NullMarked
package dev.kvstore.control.rest;

import org.jspecify.annotations.NullMarked;
