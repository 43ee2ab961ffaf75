package dev.kvstore.terraform.azurerm;

import dev.kvstore.launcher.Home;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A stand-in for azurerm that any number of Terraforms of this machine use at a time. Terraform is told of it by an
 * environment variable, and starts no plugin of its own. Thread-safe.
 */
public final class AzurermStub implements RunningAzurerm {
    /** The version that is stood in for. */
    public static final String VERSION = AzurermPackage.VERSION;

    // Far more than the state of one resource.
    private static final int LARGEST_MESSAGE = 64 << 20;

    private final Server server;
    private final ExecutorService threads;

    private AzurermStub(Server server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts a stand-in on a free port of 127.0.0.1. It refuses all that would speak with Azure: resources must be
     * mocked.
     *
     * @param types names of resources and data sources that configurations use
     * @throws IOException if the schema cannot be made; the message says why
     */
    public static AzurermStub start(Set<String> types) throws IOException, InterruptedException {
        return start(new StubService(schemas(types), values()));
    }

    /**
     * Starts one that applies: it takes every resource, and makes up what Azure computes. For tests of several runs
     * over one state.
     *
     * @param types names of resources and data sources that configurations use
     * @throws IOException if the schema cannot be made; the message says why
     */
    public static AzurermStub pretendingToApply(Set<String> types) throws IOException, InterruptedException {
        MadeUpValues made = MadeUpValues.read(Home.current().path().resolve("terraform/testing/mocks"));
        return start(new PretendedAzure(schemas(types), values(), made));
    }

    /**
     * Starts one that applies, and plans as a real azurerm does.
     *
     * @param azurerm which this closes
     */
    public static RunningAzurerm pretendingToApply(Set<String> types, AzurermBinary azurerm) throws IOException {
        MadeUpValues made = MadeUpValues.read(Home.current().path().resolve("terraform/testing/mocks"));
        AzurermClient client = new AzurermClient(azurerm);
        AzurermStub stub = start(PlannedByAzurerm.of(types, values(), made, client));
        return new RunningAzurerm() {
            @Override
            public String reattach() {
                return stub.reattach();
            }

            @Override
            public void close() {
                stub.close();
                client.close();
                azurerm.close();
            }
        };
    }

    static AzurermStub start(StubService service) throws IOException {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0))
                .addService(service)
                .executor(threads)
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .build()
                .start();
        return new AzurermStub(server, threads);
    }

    static Schemas schemas(Set<String> types) throws IOException, InterruptedException {
        Path folder = Home.current().target().resolve("azurerm");
        return Schemas.read(new AzurermPackage(folder).schemas(), types, values());
    }

    static AllowedValues values() throws IOException {
        return AllowedValues.read(Home.current().path().resolve("terraform/testing/azurerm.values"));
    }

    @Override
    public String reattach() {
        return """
                {"registry.terraform.io/hashicorp/azurerm":{"Protocol":"grpc","ProtocolVersion":5,"Pid":%d,"Test":true,\
                "Addr":{"Network":"tcp","String":"127.0.0.1:%d"}}}""".formatted(ProcessHandle.current().pid(), server.getPort());
    }

    @Override
    public void close() {
        server.shutdownNow();
        threads.close();
    }
}
