package dev.kvstore.benchmark.attack;

import dev.kvstore.launcher.stack.LocalStack;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Where attacks happen: an honest tenant, which is the stack's own, and a hostile one.
 *
 * @param hostile the other tenant's resource, key and the folder of its storage
 */
record Scene(LocalStack stack, Hostile hostile, SplittableRandom random) {
    /** A tenant that has a key and a storage of its own. */
    record Hostile(String resource, String key, Path storage) {}

    /** host:port of the data plane. */
    String dataPlane() {
        return stack.dataPlane(0).endpoint();
    }

    /** host:port of the control plane's gRPC. */
    String controlPlane() {
        return Objects.requireNonNull(stack.controlPlane()).address();
    }
}
