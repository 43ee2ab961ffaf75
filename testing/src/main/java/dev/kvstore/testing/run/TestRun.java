package dev.kvstore.testing.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The state that all workers of a run share.
 *
 * @param jvmOptions of each worker
 * @param workerClassPath the classes that a worker needs beside its module's own class path
 * @param reports folder for what tests print, a file per unit
 * @param slots JVMs at a time
 * @param silence how long a worker may say nothing before it counts as stuck
 */
record TestRun(
        Lane lane, List<String> jvmOptions, List<String> workerClassPath, Path reports, int slots, Duration silence) {
    TestRun {
        jvmOptions = List.copyOf(jvmOptions);
        workerClassPath = List.copyOf(workerClassPath);
    }
}
