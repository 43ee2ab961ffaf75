package dev.kvstore.testing.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The state that all workers of a run share.
 *
 * @param jvmOptions the JVM options of each worker
 * @param workerClassPath the classes that a worker needs beside its module's own class path
 * @param reports the folder for the output of tests, with a file per unit
 * @param slots the number of JVMs at a time
 * @param silence the time without an event after which a worker counts as stuck
 */
record TestRun(
        Lane lane, List<String> jvmOptions, List<String> workerClassPath, Path reports, int slots, Duration silence) {
    TestRun {
        jvmOptions = List.copyOf(jvmOptions);
        workerClassPath = List.copyOf(workerClassPath);
    }
}
