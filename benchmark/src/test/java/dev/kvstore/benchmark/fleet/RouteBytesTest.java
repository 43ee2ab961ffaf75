package dev.kvstore.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.Target;
import org.junit.jupiter.api.Test;

/** {@link RouteBytes}. */
class RouteBytesTest {
    private final byte[] route = Route.newBuilder()
            .addLevels(Level.newBuilder()
                    .setRegion("west-0")
                    .addTargets(Target.newBuilder().setCluster("bench-10").setProcess("bench-7"))
                    .addTargets(Target.newBuilder().setCluster("bench-0").setAddress("h:1")))
            .build()
            .toByteArray();

    @Test
    void findsTheClusterOfAnyTarget() {
        assertThat(RouteBytes.name(route, "bench-0")).isTrue();
        assertThat(RouteBytes.name(route, "bench-10")).isTrue();
    }

    @Test
    void takesNoOtherNameForTheClusters() {
        assertThat(RouteBytes.name(route, "bench-7")).isFalse();
        assertThat(RouteBytes.name(route, "bench-1")).isFalse();
        assertThat(RouteBytes.name(new byte[0], "bench-0")).isFalse();
    }
}
