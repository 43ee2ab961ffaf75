/** Control planes put together from the product's parts, and the database that they share in simulated time. */
@NullMarked
package dev.kvstore.simulation.control;

import org.jspecify.annotations.NullMarked;
