/** The Java SDK of KV Store. Libraries of others are in this module, under names of their own, and are not exported. */
module dev.kvstore.client {
    exports dev.kvstore.client;
    exports dev.kvstore.client.micrometer;
    exports dev.kvstore.client.opentelemetry;
    exports dev.kvstore.protocol.block;

    requires java.logging;
    requires java.naming;
    requires jdk.unsupported;
    requires org.slf4j;

    // Of a package that an application without this library does not load.
    requires static io.opentelemetry.api;
    requires static java.sql;
    requires static micrometer.core;
    requires static org.jspecify;

    uses dev.kvstore.client.shaded.io.grpc.LoadBalancerProvider;
    uses dev.kvstore.client.shaded.io.grpc.ManagedChannelProvider;
    uses dev.kvstore.client.shaded.io.grpc.NameResolverProvider;
    uses dev.kvstore.client.shaded.io.grpc.ServerProvider;
    uses dev.kvstore.client.shaded.io.netty.bootstrap.ChannelInitializerExtension;

    provides dev.kvstore.client.shaded.io.grpc.LoadBalancerProvider with
            dev.kvstore.client.shaded.io.grpc.internal.PickFirstLoadBalancerProvider,
            dev.kvstore.client.shaded.io.grpc.util.SecretRoundRobinLoadBalancerProvider.Provider,
            dev.kvstore.client.shaded.io.grpc.util.OutlierDetectionLoadBalancerProvider,
            dev.kvstore.client.shaded.io.grpc.util.RandomSubsettingLoadBalancerProvider;
    provides dev.kvstore.client.shaded.io.grpc.ManagedChannelProvider with
            dev.kvstore.client.shaded.io.grpc.netty.NettyChannelProvider,
            dev.kvstore.client.shaded.io.grpc.netty.UdsNettyChannelProvider;
    provides dev.kvstore.client.shaded.io.grpc.NameResolverProvider with
            dev.kvstore.client.shaded.io.grpc.netty.UdsNameResolverProvider,
            dev.kvstore.client.shaded.io.grpc.internal.DnsNameResolverProvider;
    provides dev.kvstore.client.shaded.io.grpc.ServerProvider with
            dev.kvstore.client.shaded.io.grpc.netty.NettyServerProvider;
}
