package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SocketRouteTest {
    private static final List<InetAddress> FOUR = addresses("192.0.2.1", "192.0.2.2");
    private static final List<InetAddress> SIX = addresses("2001:db8::1");
    private static final List<InetAddress> BOTH = addresses("192.0.2.1", "2001:db8::1", "192.0.2.2");

    @Test
    void everyPairOfAddressesTakesItsTurn() {
        SocketRoute route = new SocketRoute(addresses("198.51.100.1", "198.51.100.2"));
        Set<SocketRoute.Leg> legs = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            legs.add(route.next(FOUR));
        }

        assertThat(legs).hasSize(4);
    }

    @Test
    void bothEndsAreOfOneFamily() {
        SocketRoute route = new SocketRoute(addresses("198.51.100.1", "2001:db8::2"));

        assertThat(route.next(SIX))
                .isEqualTo(new SocketRoute.Leg(InetAddress.ofLiteral("2001:db8::2"), SIX.getFirst()));
        assertThat(route.next(FOUR).local()).isEqualTo(InetAddress.ofLiteral("198.51.100.1"));
    }

    @Test
    void aFamilyThatThereAreLocalAddressesOfIsPreferred() {
        SocketRoute route = new SocketRoute(addresses("2001:db8::2"));

        assertThat(route.next(BOTH).remote()).isEqualTo(SIX.getFirst());
    }

    @Test
    void withoutLocalAddressesOfAFamilyTheSystemChooses() {
        assertThat(new SocketRoute(addresses("198.51.100.1")).next(SIX))
                .isEqualTo(new SocketRoute.Leg(null, SIX.getFirst()));
    }

    @Test
    void onlyTheFamilyThatTheSystemPrefersIsUsed() {
        SocketRoute route = new SocketRoute(List.of());

        assertThat(List.of(
                        route.next(BOTH).remote(),
                        route.next(BOTH).remote(),
                        route.next(BOTH).remote()))
                .containsExactly(FOUR.get(0), FOUR.get(1), FOUR.get(0));
    }

    private static List<InetAddress> addresses(String... literals) {
        return Stream.of(literals).map(InetAddress::ofLiteral).toList();
    }
}
