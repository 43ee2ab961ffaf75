package dev.kvstore.control.security;

import static io.restassured.RestAssured.given;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.testing.Patience;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import java.util.UUID;

/** Clusters, their join tokens, and data planes that show them. */
final class JoinedFleet implements AutoCloseable {
    private final ManagedChannel channel;

    JoinedFleet(int grpcPort) {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
    }

    static RequestSpecification admin() {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON);
    }

    static void cluster(String region, String name) {
        admin().body(Map.of()).put("/v1/regions/" + region);
        cluster(name, Map.of("region", region, "state", "active"));
    }

    static void cluster(String name, Map<String, ?> spec) {
        admin().body(spec).put("/v1/clusters/" + name).then().statusCode(org.hamcrest.Matchers.oneOf(200, 201));
    }

    /** Makes a join token: {@code id} and {@code token}. */
    static Response token(String cluster, Map<String, ?> spec) {
        return admin().body(spec).post("/v1/clusters/" + cluster + "/join-tokens");
    }

    static String token(String cluster) {
        return token(cluster, Map.of()).path("token");
    }

    static void revoke(String cluster, String token) {
        String id = token.split("_", 3)[1];
        admin().delete("/v1/clusters/" + cluster + "/join-tokens/" + id).then().statusCode(204);
    }

    private static ClientInterceptor bearer(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    MembershipServiceGrpc.MembershipServiceBlockingStub membership(String token) {
        return MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(token))
                .withDeadlineAfter(Patience.LIMIT);
    }

    WarmingServiceGrpc.WarmingServiceBlockingStub warming(String token) {
        return WarmingServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(token))
                .withDeadlineAfter(Patience.LIMIT);
    }

    AccountServiceGrpc.AccountServiceBlockingStub accounts(String token) {
        return AccountServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(token))
                .withDeadlineAfter(Patience.LIMIT);
    }

    static RegisterRequest joining(String cluster, String process, String address) {
        return RegisterRequest.newBuilder()
                .setCluster(cluster)
                .setProcess(process)
                .setInstance(UUID.randomUUID().toString())
                .setAddress(address)
                .setPeerToken("0123456789abcdef0123456789abcdef")
                .build();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
