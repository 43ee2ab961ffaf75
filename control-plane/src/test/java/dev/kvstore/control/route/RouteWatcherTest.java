package dev.kvstore.control.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.FleetView;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.route.Constraints;
import dev.kvstore.control.FakeCall;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.Target;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link RouteWatcher}: who is told what, and when. */
class RouteWatcherTest {
    private static final long AGAIN = 8_000_000_000L;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final ReadFleets fleets = new ReadFleets();
    private final Board board = new Board(fleets, new SimpleMeterRegistry());
    private final WatchingClient client = new WatchingClient();
    private final RouteWatcher watcher = new RouteWatcher(
            client,
            new Admitted(
                    new Admitted.RouteQuestion(new ClientCredential("key", ByteString.EMPTY), "prompts"),
                    new Admitted.Terms(new Constraints("home", Set.of(), Map.of(), 0), null, 1)),
            "home",
            false);

    @BeforeEach
    void start() {
        board.start(new StartupEvent());
    }

    @Test
    void isToldTheRouteAtOnce() {
        fleets.read("p0");

        watcher.tell(board, 0, AGAIN);

        assertThat(client.told).containsExactly(List.of("p0"));
    }

    @Test
    void isToldNothingWhileNothingIsKnown() {
        watcher.tell(board, 0, AGAIN);

        assertThat(client.told).isEmpty();
    }

    @Test
    void isNotToldTheSameAgainBeforeItsTime() {
        fleets.read("p0");
        watcher.tell(board, 0, AGAIN);
        fleets.read("p0");

        watcher.tell(board, AGAIN - 1, AGAIN);

        assertThat(client.told).hasSize(1);
    }

    @Test
    void isToldTheSameAgainWhenItIsTime() {
        fleets.read("p0");
        watcher.tell(board, 0, AGAIN);

        watcher.tell(board, AGAIN, AGAIN);

        assertThat(client.told).containsExactly(List.of("p0"), List.of("p0"));
    }

    @Test
    void isToldAnotherRouteAtOnce() {
        fleets.read("p0");
        watcher.tell(board, 0, AGAIN);
        fleets.read("p0", "p1");

        watcher.tell(board, 1, AGAIN);

        assertThat(client.told).containsExactly(List.of("p0"), List.of("p0", "p1"));
    }

    @Test
    void whoIsSlowIsNeverToldWhatIsOutOfDate() {
        fleets.read("p0");
        client.ready(false);
        watcher.tell(board, 0, AGAIN);
        fleets.read("p1");
        watcher.tell(board, 1, AGAIN);
        fleets.read("p2");
        client.ready(true);

        watcher.tell(board, 2, AGAIN);

        assertThat(client.told).containsExactly(List.of("p2"));
    }

    /** Fleets as a test has them read: one cluster at home. */
    private static final class ReadFleets implements FleetView {
        private @Nullable Fleet now;
        private @Nullable Consumer<Fleet> listener;

        void read(String... processes) {
            List<ClusterMember> members = new ArrayList<>();
            for (String process : processes) {
                members.add(new ClusterMember(
                        process,
                        "instance-of-" + process,
                        process + ":8085",
                        "",
                        NOW.minusSeconds(3_600),
                        NOW.plusSeconds(10),
                        false,
                        new Capacity(1_000_000_000, 100, 0, 0, 4),
                        Load.NONE));
            }
            Fleet fleet = new Fleet(
                    NOW,
                    Set.of("home"),
                    Map.of(),
                    List.of(new FleetCluster("c0", "home", ClusterState.ACTIVE, null, members)));
            now = fleet;
            if (listener != null) {
                listener.accept(fleet);
            }
        }

        @Override
        public Optional<Fleet> now() {
            return Optional.ofNullable(now);
        }

        @Override
        public Subscription onChange(Consumer<Fleet> anybody) {
            listener = anybody;
            return () -> listener = null;
        }
    }

    /** The routes that a client receives, as the processes of each. */
    private static final class WatchingClient extends FakeCall<Route> {
        private final List<List<String>> told = new ArrayList<>();

        @Override
        public void onNext(Route route) {
            told.add(route.getLevelsList().stream()
                    .flatMap(level -> level.getTargetsList().stream())
                    .map(Target::getProcess)
                    .toList());
        }
    }
}
