/** Runs the tests of all modules side by side: several JVMs, one queue of test classes, one report. */
@NullMarked
package dev.kvstore.testing.run;

import org.jspecify.annotations.NullMarked;
