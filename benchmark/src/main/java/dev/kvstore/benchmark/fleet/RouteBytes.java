package dev.kvstore.benchmark.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import dev.kvstore.protocol.control.v1.Target;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Routes that are watched and not read as messages: ten thousand clients in one process would measure their own
 * reading. Stateless.
 */
final class RouteBytes {
    static final MethodDescriptor<GetRouteRequest, byte[]> WATCH = RouteServiceGrpc.getWatchRouteMethod().toBuilder(
                    RouteServiceGrpc.getWatchRouteMethod().getRequestMarshaller(), new Marshaller())
            .build();

    private static final int LENGTH_DELIMITED = 2;

    private RouteBytes() {}

    private static final class Marshaller implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return message.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Whether a route has a target of a cluster.
     *
     * @param cluster up to 127 characters, all of them ASCII
     */
    static boolean name(byte[] route, String cluster) {
        byte[] name = cluster.getBytes(UTF_8);
        byte tag = (byte) (Target.CLUSTER_FIELD_NUMBER << 3 | LENGTH_DELIMITED);
        for (int i = 0; i + 2 + name.length <= route.length; i++) {
            if (route[i] == tag
                    && route[i + 1] == name.length
                    && Arrays.equals(route, i + 2, i + 2 + name.length, name, 0, name.length)) {
                return true;
            }
        }
        return false;
    }
}
