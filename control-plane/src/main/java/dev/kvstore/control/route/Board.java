package dev.kvstore.control.route;

import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetView;
import dev.kvstore.clusters.route.Constraints;
import dev.kvstore.clusters.route.Reason;
import dev.kvstore.clusters.route.Routing;
import dev.kvstore.clusters.route.SmoothedUtilisation;
import dev.kvstore.control.membership.Vacancies;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the fleet as it was last read. Each route is computed when it is first asked for, and kept until the
 * next fleet is read. While the database does not answer, fleet and routes stay as they are. Thread-safe.
 */
@Singleton
public final class Board implements Vacancies {
    /** Most routes kept of one fleet, about 20 kB each; further ones are computed for each question. */
    private static final int KEPT = 10_000;

    private final FleetView fleets;
    private final Timer time;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private SmoothedUtilisation load = SmoothedUtilisation.NOTHING;
    private volatile @Nullable BoardState state;
    private FleetView.@Nullable Subscription subscription;

    private record BoardKey(Constraints constraints, String viewpoint) {}

    private record BoardState(Routing routing, ConcurrentMap<BoardKey, EncodedRoute> answers) {}

    Board(FleetView fleets, MeterRegistry meters) {
        this.fleets = fleets;
        this.time = ControlPlaneMetrics.ROUTE_DURATION.timer(meters);
    }

    void start(@Observes StartupEvent started) {
        subscription = fleets.onChange(this::hear);
    }

    void stop(@Observes ShutdownEvent stopping) {
        FleetView.Subscription current = subscription;
        if (current != null) {
            current.close();
        }
    }

    /** Receives a fleet. One thread calls this. */
    private void hear(Fleet fleet) {
        load = load.next(fleet);
        state = new BoardState(Routing.of(fleet, load), new ConcurrentHashMap<>());
        listeners.forEach(Runnable::run);
    }

    /** Adds a listener that is called when routes may have changed. It must not wait for anything. */
    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** The routing of the present fleet; empty if no fleet has been read yet. */
    public Optional<Routing> routing() {
        return Optional.ofNullable(state).map(BoardState::routing);
    }

    @Override
    public SortedMap<String, Double> vacancies(String region) {
        return routing().map(routing -> routing.vacancies(region)).orElseGet(TreeMap::new);
    }

    /** The route for a client; empty if no fleet has been read yet. */
    Optional<EncodedRoute> answer(Constraints constraints, String region) {
        return Optional.ofNullable(state).map(now -> answer(now, constraints, region));
    }

    private EncodedRoute answer(BoardState now, Constraints constraints, String region) {
        BoardKey question = new BoardKey(constraints, now.routing().viewpoint(constraints, region));
        EncodedRoute known = now.answers().get(question);
        if (known != null) {
            return known;
        }
        EncodedRoute answer =
                time.record(() -> EncodedRoute.of(now.routing().route(constraints, question.viewpoint())));
        if (now.answers().size() < KEPT) {
            now.answers().put(question, answer);
        }
        return answer;
    }

    /**
     * Route and reasons, both of the same fleet; empty if no fleet has been read yet.
     *
     * @param everywhere whether to give reasons also for clusters outside the account's allowed regions, which only the
     *     platform's admins may see
     */
    Optional<Explained> explained(Constraints constraints, String region, boolean everywhere) {
        return Optional.ofNullable(state).map(now -> {
            EncodedRoute answer = answer(now, constraints, region);
            return new Explained(
                    answer,
                    now.routing().reasons(constraints, answer.route()).stream()
                            .filter(reason -> everywhere || constraints.allows(reason.region()))
                            .toList());
        });
    }

    /** A route and the reasons for it. */
    record Explained(EncodedRoute answer, List<Reason> reasons) {
        dev.kvstore.protocol.control.v1.Route message() {
            return answer.explained(reasons);
        }
    }
}
