package dev.kvstore.dataplane.cluster;

import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.protocol.wire.Credentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The messages that wait to be sent to one peer, one after the other, on a thread of its own. Thread-safe. */
public final class AnnouncementQueue implements AutoCloseable {
    /** Most messages that wait: two seconds of them. A peer that is further behind learns as much from logs. */
    static final int MAX_MESSAGES = 20;

    /** The deadline of a message; a slower peer does not see blocks within the promised second anyway. */
    static final Duration DEADLINE = Duration.ofSeconds(2);

    private static final Logger LOG = System.getLogger(AnnouncementQueue.class.getName());

    /** The numbers of blocks announced to all peers of a process, and dropped. Thread-safe. */
    public record AnnouncementCounters(LongAdder sent, LongAdder dropped) {
        /** Zero. */
        public AnnouncementCounters() {
            this(new LongAdder(), new LongAdder());
        }
    }

    private final Peer peer;
    private final ManagedChannel channel;
    private final AnnouncementCounters counters;
    private final PeerServiceGrpc.PeerServiceBlockingStub stub;
    private final ArrayBlockingQueue<Message> messages = new ArrayBlockingQueue<>(MAX_MESSAGES);
    private final Thread thread;
    private volatile boolean failing;

    /**
     * Begins to send.
     *
     * @param channel to the peer; closed with this
     * @throws IllegalArgumentException if the peer's token is not valid
     */
    public AnnouncementQueue(Peer peer, ManagedChannel channel, AnnouncementCounters counters) {
        this.peer = peer;
        this.channel = channel;
        this.counters = counters;
        Metadata headers = new Metadata();
        headers.put(Credentials.AUTHORIZATION, Credentials.bearer(peer.getToken()));
        this.stub = PeerServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withWaitForReady();
        this.thread = Thread.ofVirtual().name("peer-" + peer.getProcess()).start(this::send);
    }

    /**
     * Sends a message after the messages before it; returns how many blocks had to be dropped for it, the oldest first.
     */
    int post(Message message) {
        int dropped = 0;
        while (!messages.offer(message)) {
            Message oldest = messages.poll();
            dropped += oldest == null ? 0 : oldest.blocks();
        }
        return dropped;
    }

    private void send() {
        try {
            while (true) {
                send(messages.take());
            }
        } catch (InterruptedException e) {
            messages.clear();
        }
    }

    private void send(Message message) throws InterruptedException {
        try {
            channel.resetConnectBackoff();
            var _ = stub.withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                    .announce(message.content());
            counters.sent().add(message.blocks());
            failing = false;
        } catch (StatusRuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            counters.dropped().add(message.blocks());
            failed(e.getStatus());
        } catch (RuntimeException | Error e) {
            // Later messages must still be sent.
            counters.dropped().add(message.blocks());
            LOG.log(Level.ERROR, "peer " + peer.getProcess() + " was not told of blocks", e);
        }
    }

    /** Logs a failure once, until it is over: the peer may have gone, and the next heartbeat tells so. */
    private void failed(Status why) {
        if (!failing) {
            failing = true;
            LOG.log(Level.WARNING, "announcements of blocks do not reach peer {0}: {1}", peer.getProcess(), why);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        channel.shutdownNow();
    }
}
