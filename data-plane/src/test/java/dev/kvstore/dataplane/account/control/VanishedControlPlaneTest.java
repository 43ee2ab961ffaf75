package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.SilentProxy;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A control plane whose connections a firewall forgets without closing them. */
@Tag("slow")
class VanishedControlPlaneTest {
    private static final Duration WITHIN = Duration.ofSeconds(2);

    @Test
    void aConnectionOnWhichNothingIsForwardedIsLeftForANewOne() throws Exception {
        try (ControlPlanePeer peer = new ControlPlanePeer();
                SilentProxy proxy = new SilentProxy(peer.port());
                ControlPlaneReplicas plane = new ControlPlaneReplicas(
                        List.of(new ControlPlaneReplica("127.0.0.1", proxy.port())),
                        _ -> null,
                        new JoinToken(ControlPlanePeer.TOKEN))) {
            assertThat(resolve(plane).hasUnknownKey()).isTrue();

            proxy.forget();
            long began = System.nanoTime();

            await().atMost(Patience.LIMIT)
                    .ignoreException(StatusException.class)
                    .until(() -> resolve(plane).hasUnknownKey());
            System.out.printf(
                    "trial: answers again %.1f s after a proxy stopped forwarding%n",
                    (System.nanoTime() - began) / 1e9);
        }
    }

    private static ResolveResponse resolve(ControlPlaneReplicas plane) throws StatusException, InterruptedException {
        return plane.ask(
                stub -> stub.resolve(ResolveRequest.newBuilder()
                        .setKeyId("nobody")
                        .setKeySha256(ByteString.copyFrom(new byte[32]))
                        .build()),
                WITHIN);
    }
}
