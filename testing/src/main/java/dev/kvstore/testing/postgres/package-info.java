/** A real PostgreSQL for tests, with a database for each test class that wants one of its own. */
@NullMarked
package dev.kvstore.testing.postgres;

import org.jspecify.annotations.NullMarked;
