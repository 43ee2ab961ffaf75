package dev.kvstore.dataplane.cluster;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.call.Authentication;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.protocol.peer.v1.AnnounceRequest;
import dev.kvstore.protocol.peer.v1.WrittenBlocks;
import dev.kvstore.protocol.wire.WireNames;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Tells peers of stored blocks, all blocks of a {@link #PERIOD} together. Announcements beyond a bound, or that a peer
 * does not take, are dropped: peers learn of these blocks from logs within 30 s. Thread-safe; only {@link #close}
 * waits.
 */
public final class Announcer implements Announcements, AutoCloseable {
    /** How long a block waits for others. With the time to a peer that is well below a second. */
    public static final Duration PERIOD = Duration.ofMillis(100);

    /** Blocks in one message, 128 KiB of hashes. */
    static final int MAX_BLOCKS = 4096;

    /** Bytes of a message for partitions, beside hashes; both together are within the limit of a peer. */
    private static final int MAX_PARTITION_BYTES =
            Authentication.MAX_PEER_MESSAGE_BYTES - 2 * MAX_BLOCKS * BlockHash.BYTES;

    /**
     * The bytes of a partition in a message, beside hashes: its root, the fields around it, the location of its
     * storage.
     */
    private static final int PARTITION_BYTES = 64;

    /**
     * Most blocks that wait for the end of a period: as many as a process stores in it at 300,000 a second; 4 MiB of
     * heap.
     */
    static final int MAX_WAITING = 8 * MAX_BLOCKS;

    private static final Logger LOG = System.getLogger(Announcer.class.getName());

    private record AnnouncedPartition(String storage, BlockHash root, boolean anew) {}

    private final String process;
    private final Function<Peer, AnnouncementQueue> outboxes;
    private final LongAdder dropped = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private Map<AnnouncedPartition, List<BlockHash>> waiting = new HashMap<>();
    private int count;
    private volatile Map<Peer, AnnouncementQueue> peers = Map.of();

    /**
     * An announcer without peers.
     *
     * @param process the name of this process at the control plane
     * @param outboxes makes the outbox of a peer
     */
    public Announcer(String process, Function<Peer, AnnouncementQueue> outboxes) {
        this.process = process;
        this.outboxes = outboxes;
    }

    /** Sets the peers. For one thread at a time. */
    public void tell(List<Peer> members) {
        Map<Peer, AnnouncementQueue> next = new HashMap<>();
        for (Peer peer : members) {
            AnnouncementQueue known = peers.get(peer);
            try {
                next.put(peer, known == null ? outboxes.apply(peer) : known);
            } catch (IllegalArgumentException e) {
                LOG.log(Level.WARNING, "peer {0} gets no announcements: {1}", peer.getProcess(), e.getMessage());
            }
        }
        Map<Peer, AnnouncementQueue> gone = new HashMap<>(peers);
        gone.keySet().removeAll(next.keySet());
        peers = Map.copyOf(next);
        gone.values().forEach(AnnouncementQueue::close);
    }

    /** Number of peers. */
    public int peers() {
        return peers.size();
    }

    /** Dropped announcements: blocks, counted for each peer that was not told of them. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public void stored(BlockKey key, boolean anew) {
        int listeners = peers.size();
        if (listeners == 0) {
            return;
        }
        AnnouncedPartition place = new AnnouncedPartition(key.storage().place(), key.root(), anew);
        lock.lock();
        try {
            if (count < MAX_WAITING) {
                count++;
                waiting.computeIfAbsent(place, _ -> new ArrayList<>()).add(key.hash());
                return;
            }
        } finally {
            lock.unlock();
        }
        dropped.add(listeners);
    }

    /** Ends a period: sends the blocks that wait. */
    public void beat() {
        Map<AnnouncedPartition, List<BlockHash>> written;
        lock.lock();
        try {
            if (count == 0) {
                return;
            }
            written = waiting;
            waiting = new HashMap<>();
            count = 0;
        } finally {
            lock.unlock();
        }
        messages(written).forEach(this::post);
    }

    private void post(Message message) {
        for (AnnouncementQueue queue : peers.values()) {
            dropped.add(queue.post(message));
        }
    }

    private List<Message> messages(Map<AnnouncedPartition, List<BlockHash>> written) {
        List<Message> messages = new ArrayList<>();
        AnnounceRequest.Builder next = AnnounceRequest.newBuilder().setProcess(process);
        int room = MAX_BLOCKS;
        int bytes = 0;
        for (Map.Entry<AnnouncedPartition, List<BlockHash>> place : written.entrySet()) {
            List<BlockHash> hashes = place.getValue();
            int partition = PARTITION_BYTES + utf8Length(place.getKey().storage);
            if (bytes + partition > MAX_PARTITION_BYTES && room < MAX_BLOCKS) {
                messages.add(new Message(next.build(), MAX_BLOCKS - room));
                next = AnnounceRequest.newBuilder().setProcess(process);
                room = MAX_BLOCKS;
                bytes = 0;
            }
            for (int from = 0; from < hashes.size(); ) {
                bytes += partition;
                int to = Math.min(hashes.size(), from + room);
                next.addWritten(WrittenBlocks.newBuilder()
                        .setStorage(place.getKey().storage)
                        .setRoot(WireNames.field(place.getKey().root))
                        .setAnew(place.getKey().anew)
                        .setHashes(bytes(hashes.subList(from, to))));
                room -= to - from;
                from = to;
                if (room == 0) {
                    messages.add(new Message(next.build(), MAX_BLOCKS));
                    next = AnnounceRequest.newBuilder().setProcess(process);
                    room = MAX_BLOCKS;
                    bytes = 0;
                }
            }
        }
        if (room < MAX_BLOCKS) {
            messages.add(new Message(next.build(), MAX_BLOCKS - room));
        }
        return messages;
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static ByteString bytes(List<BlockHash> hashes) {
        ByteBuffer bytes = ByteBuffer.allocate(hashes.size() * BlockHash.BYTES);
        hashes.forEach(hash -> hash.putTo(bytes));
        return UnsafeByteOperations.unsafeWrap(bytes.flip());
    }

    @Override
    public void close() {
        tell(List.of());
    }
}
