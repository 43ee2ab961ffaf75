package dev.kvstore.dataplane.storage.azure.http;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.testing.schedule.Schedules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.DefaultEventLoopGroup;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Under every schedule each request gets a connection, and no more connections are open than there may be. */
@Tag("slow")
final class ConnectionPoolRacesTest {
    /** Longer than a schedule takes: a request that waits so long waits for a connection that nobody gives it. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private final ServiceMeters.AllServices meters = new ServiceMeters.AllServices(new SimpleMeterRegistry());

    @Test
    void requestsShareTheOnlyConnectionOfTheirHost() {
        Schedules.explore(() -> {
            try (Hosts hosts = new Hosts(2, 1)) {
                ConnectionPool host = hosts.open("a");

                race(() -> get(host), () -> get(host));
            }
        });
    }

    @Test
    void hostsShareTheOnlyConnectionOfAll() {
        Schedules.explore(() -> {
            try (Hosts hosts = new Hosts(1, 1)) {
                ConnectionPool one = hosts.open("a");
                ConnectionPool other = hosts.open("b");

                race(() -> get(one), () -> get(other));
            }
        });
    }

    private static void get(ConnectionPool host) {
        HttpRequest request = new HttpRequest(HttpMethod.GET, "http://" + host.origin() + "/");
        HttpResponse answer = Mono.<HttpResponse>create(sink -> host.run(new Exchange(
                        request,
                        Heads.of(request, host.origin()),
                        new Exchange.Wishes(true, false, null),
                        sink,
                        Runnable::run)))
                .toFuture()
                .join();
        assertThat(answer.getStatusCode()).isEqualTo(200);
    }

    /** Hosts in memory, with an event loop of their own. */
    private final class Hosts implements AutoCloseable {
        private final DefaultEventLoopGroup group = new DefaultEventLoopGroup(1);
        private final Loops loops = new Loops(group, AnsweringChannel.class, false);
        private final AddressCache names = new AddressCache(
                LONG,
                _ -> new InetAddress[] {InetAddress.getLoopbackAddress()},
                Ticker.disabledTicker(),
                Runnable::run);
        private final ConnectionBudget budget;
        private final HttpOptions options;
        private final List<ConnectionPool> pools = new ArrayList<>();

        Hosts(int all, int ofHost) {
            budget = new ConnectionBudget(all);
            options = new HttpOptions(ofHost, all, null, List.of(), LONG, LONG, LONG, LONG, LONG, LONG);
        }

        ConnectionPool open(String name) {
            HttpOrigin origin = new HttpOrigin(false, name, 80);
            ConnectionPool pool = new ConnectionPool(origin, options, loops, names, null, budget, meters.of(origin));
            pools.add(pool);
            return pool;
        }

        @Override
        public void close() {
            pools.forEach(ConnectionPool::close);
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
            assertThat(budget.open()).isZero();
        }
    }
}
