package dev.kvstore.control.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallKindTest {
    static Stream<String> methods() {
        return Stream.of(
                        AccountServiceGrpc.getServiceDescriptor(),
                        MembershipServiceGrpc.getServiceDescriptor(),
                        PurgeServiceGrpc.getServiceDescriptor(),
                        RouteServiceGrpc.getServiceDescriptor(),
                        WarmingServiceGrpc.getServiceDescriptor())
                .map(ServiceDescriptor::getMethods)
                .flatMap(methods -> methods.stream().map(MethodDescriptor::getFullMethodName));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void eachMethodOfTheControlPlaneHasBoundsOfItsOwn(String method) {
        assertThat(CallKind.of(method)).isNotEqualTo(CallKind.OTHER);
    }

    @Test
    void aMethodThatIsNotServedHasTheLeastBounds() {
        assertThat(CallKind.of("grpc.health.v1.Health/Check")).isEqualTo(CallKind.OTHER);
    }
}
