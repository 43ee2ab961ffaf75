package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one socket reads into: runs that are filled to their end, however little comes at a time. Large reads
 * need few system calls, and a small message does not hold a whole buffer. One event loop uses it.
 */
final class ReadBuffers implements RecvByteBufAllocator, AutoCloseable {
    /** The bytes of a run: with its copies it stays in a processor's second-level cache of 512 KiB or more. */
    static final int RUN_BYTES = 256 * 1024;

    /** The least room for a read; less is not worth a system call. */
    private static final int LEAST_BYTES = 16 * 1024;

    /** The number of reads before the event loop looks at its other connections. */
    private static final int READS = 4;

    private @Nullable ByteBuf run;
    private int used;

    @Override
    @SuppressWarnings("deprecation") // RecvByteBufAllocator demands this
    public Handle newHandle() {
        return new ReadSizes();
    }

    /** Gives back the run that is not full. Bytes in it stay valid for their holders. */
    @Override
    public void close() {
        ByteBuf current = run;
        run = null;
        if (current != null) {
            current.release();
        }
    }

    private ByteBuf free(ByteBufAllocator allocator) {
        ByteBuf current = run;
        if (current == null || current.capacity() - used < LEAST_BYTES) {
            close();
            current = allocator.directBuffer(RUN_BYTES, RUN_BYTES);
            run = current;
            used = 0;
        }
        return current.retainedSlice(used, current.capacity() - used).writerIndex(0);
    }

    private final class ReadSizes implements ExtendedHandle {
        private int reads;
        private int attempted;
        private int last;

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return free(allocator);
        }

        @Override
        public int guess() {
            return RUN_BYTES;
        }

        @Override
        public void reset(ChannelConfig config) {
            reads = 0;
        }

        @Override
        public void incMessagesRead(int messages) {
            reads += messages;
        }

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
            used += Math.max(0, bytes);
        }

        @Override
        public int lastBytesRead() {
            return last;
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            attempted = bytes;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return continueReading(() -> attempted == last);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return reads < READS && last > 0 && maybeMore.get();
        }

        @Override
        public void readComplete() {
            // The next read continues where this one ended.
        }
    }
}
