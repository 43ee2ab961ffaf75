package dev.kvstore.terraform.azurerm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.terraform.plugin.Diagnostic;
import dev.kvstore.terraform.plugin.DynamicValue;
import dev.kvstore.terraform.plugin.GetProviderSchema;
import dev.kvstore.terraform.plugin.PlanResourceChange;
import dev.kvstore.terraform.plugin.ProviderGrpc;
import dev.kvstore.terraform.plugin.ValidateConfig;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks an azurerm what Terraform asks when it validates, without Terraform. Thread-safe. */
final class AzurermClient implements AutoCloseable {
    // The schemas of all of azurerm are some 10 MB.
    private static final int LARGEST_MESSAGE = 256 << 20;
    private static final int PATIENCE_MINUTES = 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
    private final ManagedChannel channel;

    /**
     * Connects.
     *
     * @throws IOException if {@link RunningAzurerm#reattach} says nothing that can be connected to
     */
    AzurermClient(RunningAzurerm azurerm) throws IOException {
        JsonNode address = JSON.readTree(azurerm.reattach())
                .path("registry.terraform.io/hashicorp/azurerm")
                .path("Addr");
        String place = address.path("String").asText();
        boolean local = address.path("Network").asText().equals("unix");
        SocketAddress socket = local ? UnixDomainSocketAddress.of(place) : inet(place);
        channel = NettyChannelBuilder.forAddress(socket)
                .overrideAuthority("localhost")
                .eventLoopGroup(loop)
                .channelType(local ? NioDomainSocketChannel.class : NioSocketChannel.class, socket.getClass())
                // Sockets of this machine have no such option, and Netty would warn of it.
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .usePlaintext()
                .build();
    }

    private static SocketAddress inet(String place) {
        int colon = place.lastIndexOf(':');
        return new InetSocketAddress(place.substring(0, colon), Integer.parseInt(place.substring(colon + 1)));
    }

    /** The schemas of all resources and data sources. */
    GetProviderSchema.Response schemas() {
        return provider().getSchema(GetProviderSchema.Request.getDefaultInstance());
    }

    /**
     * Errors of a resource's arguments, as Terraform prints them. Empty: azurerm takes them.
     *
     * @throws LaunchException if azurerm does not survive the question
     */
    Set<String> errors(String type, Map<String, @Nullable Object> configuration) {
        ValidateConfig.Response response;
        try {
            response = provider()
                    .validateResourceTypeConfig(ValidateConfig.Request.newBuilder()
                            .setTypeName(type)
                            .setConfig(DynamicValue.newBuilder().setMsgpack(MessagePack.write(configuration)))
                            .build());
        } catch (StatusRuntimeException e) {
            throw new LaunchException(
                    "azurerm did not answer whether it takes " + type + " " + configuration + ": " + e.getMessage(), e);
        }
        return response.getDiagnosticsList().stream()
                .filter(each -> each.getSeverity() == Diagnostic.Severity.ERROR)
                .map(each -> (each.getSummary() + " " + each.getDetail()).strip())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether it takes a resource, as azurerm answers. */
    ValidateConfig.Response validate(ValidateConfig.Request request) {
        return provider().validateResourceTypeConfig(request);
    }

    /** The plan for a resource, as azurerm answers. */
    PlanResourceChange.Response plan(PlanResourceChange.Request request) {
        return provider().planResourceChange(request);
    }

    private ProviderGrpc.ProviderBlockingStub provider() {
        return ProviderGrpc.newBlockingStub(channel).withDeadlineAfter(PATIENCE_MINUTES, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
