package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.testing.JvmProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A JVM that has a proxy for HTTP, which leads to no control plane. */
class ControlPlaneBesideProxyTest {
    @Test
    void theControlPlaneIsReachedDirectly() throws Exception {
        try (JvmProxy _ = new JvmProxy();
                ControlPlanePeer peer = new ControlPlanePeer();
                ControlPlaneReplicas plane = new ControlPlaneReplicas(
                        List.of(new ControlPlaneReplica("127.0.0.1", peer.port())),
                        _ -> null,
                        new JoinToken(ControlPlanePeer.TOKEN))) {
            assertThat(plane.ask(
                                    stub -> stub.resolve(ResolveRequest.newBuilder()
                                            .setKeyId("nobody")
                                            .setKeySha256(ByteString.copyFrom(new byte[32]))
                                            .build()),
                                    Duration.ofSeconds(60))
                            .hasUnknownKey())
                    .isTrue();
        }
    }
}
