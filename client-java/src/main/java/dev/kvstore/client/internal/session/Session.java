package dev.kvstore.client.internal.session;

import com.google.protobuf.ByteString;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.CommonPrefix;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.PartitionChain;
import dev.kvstore.client.Prefix;
import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.Channels;
import dev.kvstore.client.internal.ClientOptions;
import dev.kvstore.client.internal.Endpoint;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.LiveCounters;
import dev.kvstore.client.internal.NewThread;
import dev.kvstore.client.internal.Operation;
import dev.kvstore.client.internal.ReadMemory;
import dev.kvstore.client.internal.RetryBudget;
import dev.kvstore.client.internal.RetryPolicy;
import dev.kvstore.client.internal.RouteEndpoints;
import dev.kvstore.client.internal.RouteWatch;
import dev.kvstore.client.internal.RoutedHosts;
import dev.kvstore.client.internal.Threads;
import dev.kvstore.client.internal.Time;
import dev.kvstore.client.internal.Watchdog;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.client.internal.read.BlockAssembler;
import dev.kvstore.client.internal.read.LeakDetector;
import dev.kvstore.client.internal.read.ReceivedMessage;
import dev.kvstore.client.internal.read.ResumingBlockStream;
import dev.kvstore.client.internal.read.WholeBlockPart;
import dev.kvstore.client.internal.routing.Affinity;
import dev.kvstore.client.internal.routing.Rendezvous;
import dev.kvstore.client.internal.routing.Route;
import dev.kvstore.client.internal.write.OutgoingBlock;
import dev.kvstore.client.internal.write.PumpedBlockWriter;
import dev.kvstore.protocol.answer.v1.ReadAnswer;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupAllResponse;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PartitionPrefix;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.Received;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The operations of a client, and the parts that they share. Thread-safe. */
public final class Session implements AutoCloseable {
    private static final MethodDescriptor<LongMessage, WriteResponse> WRITE =
            LongMessage.asking(KvStoreMethods.ClientMethods.WRITE);

    private final ClientOptions options;
    private final Channels channels;
    private final RouteEndpoints endpoints;
    private final Time time = Time.SYSTEM;
    private final LiveCounters counters = new LiveCounters();
    private final LeakDetector leaks;
    private final RetryPolicy policy;
    private final Affinity affinity =
            new Affinity(() -> ThreadLocalRandom.current().nextLong());
    private final ReadMemory memory;
    private final Set<PumpedBlockWriter> writers = ConcurrentHashMap.newKeySet();
    private final @Nullable RouteWatch watch;
    private final @Nullable Thread watchdog;

    /** @throws KvStoreException {@code RESOURCE_EXHAUSTED} if the process can have no more threads */
    public Session(ClientOptions options) {
        this(options, new Channels(options));
    }

    public Session(ClientOptions options, Channels channels) {
        this.options = options;
        this.channels = channels;
        this.leaks = detector();
        this.memory = new ReadMemory(options.maxReadMemoryBytes());
        this.endpoints = new RouteEndpoints(channels::endpoint, RoutedHosts.of(options), time, counters);
        if (options.controlPlane().isEmpty()) {
            this.watch = null;
            endpoints.follow(Route.fixed(options.endpoints()));
        } else {
            this.watch = RouteWatch.of(options, channels, endpoints);
        }
        // With a single attempt the operation cannot move to another data plane.
        this.watchdog = options.serverStallTimeout().isZero() || options.retry().maxAttempts() == 1
                ? null
                : Threads.unstarted("kvstore-watchdog", new Watchdog(endpoints, options.serverStallTimeout(), time));
        this.policy = new RetryPolicy(
                options.retry(),
                new RetryBudget(options.retry()),
                () -> ThreadLocalRandom.current().nextLong());
        try {
            start();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private LeakDetector detector() {
        try {
            return new LeakDetector(counters, time);
        } catch (OutOfMemoryError e) { // the watchdog has a thread that may be running
            channels.close();
            throw Errors.broken("starting a thread", e);
        }
    }

    private void start() {
        if (watch != null) {
            watch.start();
        }
        if (watchdog != null) {
            NewThread.start(watchdog);
        }
    }

    public Prefix lookup(Partition partition, BlockChain chain, CallOptions call) {
        LookupRequest request = LookupRequest.newBuilder()
                .setResourceName(options.resource())
                .setPartition(partition.name())
                .setBlockTokens(partition.blockTokens())
                .setBlockHashes(WireNames.field(chain))
                .setOmitLocations(true)
                .setExpectedBytes(call.expectedBytes())
                .build();
        Operation operation = operation(call, affinity.of(chain));
        LookupResponse response = UnaryCall.run(operation, KvStoreMethods.ClientMethods.LOOKUP, request);
        return prefix(chain, response.getCachedBlocks(), response.getLastHash());
    }

    private static Prefix prefix(BlockChain chain, int cached, ByteString lastHash) {
        if (cached < 0 || cached > chain.size() || !lastHash.equals(WireNames.field(chain.parent(cached)))) {
            throw Errors.internal("the server's cached_blocks and last_hash are not of this prompt");
        }
        return new Prefix(cached, chain.parent(cached));
    }

    public CommonPrefix lookupAll(List<PartitionChain> prompts, CallOptions call) {
        long key = affinity.of(prompts.get(0).chain());
        Operation operation = operation(call, key);
        LookupAllResponse response;
        try {
            response = UnaryCall.run(operation, KvStoreMethods.ClientMethods.LOOKUP_ALL, request(prompts, call));
        } catch (KvStoreException e) {
            if (e.code() != ErrorCode.UNIMPLEMENTED) {
                throw e;
            }
            return oneByOne(prompts, call, operation);
        }
        if (response.getPartitionsCount() != prompts.size()) {
            throw Errors.internal(
                    "the server answers for " + response.getPartitionsCount() + " partitions of " + prompts.size());
        }
        List<Prefix> each = new ArrayList<>(prompts.size());
        for (int i = 0; i < prompts.size(); i++) {
            PartitionPrefix found = response.getPartitions(i);
            each.add(prefix(prompts.get(i).chain(), found.getCachedBlocks(), found.getLastHash()));
        }
        return common(each);
    }

    private LookupAllRequest request(List<PartitionChain> prompts, CallOptions call) {
        LookupAllRequest.Builder request = LookupAllRequest.newBuilder()
                .setResourceName(options.resource())
                .setBlockTokens(prompts.get(0).partition().blockTokens())
                .setOmitLocations(true);
        for (PartitionChain prompt : prompts) {
            request.addPartitionsBuilder()
                    .setPartition(prompt.partition().name())
                    .setBlockHashes(WireNames.field(prompt.chain()))
                    .setExpectedBytes(expected(prompt, call));
        }
        return request.build();
    }

    private static int expected(PartitionChain prompt, CallOptions call) {
        return prompt.expectedBytes() == 0 ? call.expectedBytes() : prompt.expectedBytes();
    }

    /** Looks the prompts up one after the other, for a data plane that does not know LookupAll yet. */
    private CommonPrefix oneByOne(List<PartitionChain> prompts, CallOptions call, Operation operation) {
        List<Prefix> each = new ArrayList<>(prompts.size());
        for (PartitionChain prompt : prompts) {
            each.add(lookup(
                    prompt.partition(),
                    prompt.chain(),
                    call.withDeadline(operation.required()).withExpectedBytes(expected(prompt, call))));
        }
        return common(each);
    }

    private static CommonPrefix common(List<Prefix> each) {
        return new CommonPrefix(
                each.stream().mapToInt(Prefix::cachedBlocks).min().orElse(0), each);
    }

    public BlockStream read(BlockChain chain, CallOptions call) {
        List<Location> locations =
                IntStream.range(0, chain.size()).mapToObj(chain::location).toList();
        return read(locations, call, operation(call, affinity.of(chain)));
    }

    public BlockStream read(List<Location> locations, CallOptions call) {
        return read(List.copyOf(locations), call, operation(call, affinity.of(locations)));
    }

    private BlockStream read(List<Location> locations, CallOptions call, Operation operation) {
        return new ResumingBlockStream(locations, call, options, operation, leaks, counters, memory);
    }

    public Block readBlock(Location location, CallOptions call) {
        ReadRequest request = ReadRequest.newBuilder()
                .setResourceName(options.resource())
                .setLocation(WireNames.field(location))
                .addAllWriters(call.writers())
                .setExpectedBytes(call.expectedBytes())
                .build();
        Operation operation = operation(call, affinity.of(location.hash()));
        Received<ReadAnswer> received =
                UnaryCall.run(operation, attempt -> attempt.callForBlock(KvStoreMethods.ClientMethods.READ), request);
        ReceivedMessage message = new ReceivedMessage(received::close);
        try (BlockAssembler assembler = new BlockAssembler(List.of(location), 0, call, leaks, counters)) {
            if (received.flaw() == null) {
                assembler.accept(WholeBlockPart.toPart(received.message().getChunk()), message);
            }
            assembler.end();
            return found(assembler.poll());
        } finally {
            message.release();
        }
    }

    private static Block found(@Nullable BlockResult result) {
        if (result instanceof BlockResult.Found found) {
            return found.block();
        }
        if (result instanceof BlockResult.Missing missing) {
            throw new KvStoreException(
                    ErrorCode.NOT_FOUND, "no block " + missing.location().hash());
        }
        throw result instanceof BlockResult.Failed failed
                ? failed.reason()
                : Errors.internal("the server sent no block");
    }

    public WriteResult write(Partition partition, NewBlock block, CallOptions call) {
        OutgoingBlock outgoing = OutgoingBlock.of(partition, block);
        Operation operation = operation(call, affinity.of(outgoing.hash()));
        return outgoing.result(UnaryCall.run(operation, WRITE, outgoing.request(options.resource(), partition)));
    }

    public BlockWriter writer(Partition partition, CallOptions call) {
        // Nothing is known of the blocks yet: without the caller's key any data plane is as good as another.
        return writer(partition, operation(call, new SplittableRandom().nextLong()));
    }

    public BlockWriter writer(Partition partition, BlockChain prompt, CallOptions call) {
        return writer(partition, operation(call, affinity.of(prompt)));
    }

    private BlockWriter writer(Partition partition, Operation operation) {
        PumpedBlockWriter writer = new PumpedBlockWriter(partition, options, operation, writers::remove);
        writers.add(writer);
        if (endpoints.isClosed()) {
            writer.abort();
        }
        return writer;
    }

    public ClientCounters counters() {
        return counters.snapshot();
    }

    /** The number of open calls at all data planes. */
    public int underWay() {
        return endpoints.inUse().stream().mapToInt(Endpoint::inFlight).sum();
    }

    /** The bytes of the shares of all open reads. */
    public long readMemory() {
        return memory.shared();
    }

    private Operation operation(CallOptions call, long derivedKey) {
        String conversation = call.affinity();
        Duration deadline = call.deadline();
        return new Operation(
                endpoints,
                policy,
                time,
                counters,
                conversation == null ? derivedKey : Rendezvous.seed(conversation),
                deadline == null ? options.deadline() : deadline);
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        endpoints.close();
        writers.forEach(PumpedBlockWriter::abort);
        channels.close();
    }
}
