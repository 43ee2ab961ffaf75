package dev.kvstore.simulation.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * An open file of a simulated disk. A write goes page by page, so that a process that is killed meanwhile leaves a part
 * of it. No two processes share a file: the process before this one is dead.
 */
final class DiskChannel extends FileChannel {
    private final DiskVolume volume;
    private final DiskFile file;
    private long position;

    DiskChannel(DiskVolume volume, DiskFile file) {
        this.volume = volume;
        this.file = file;
    }

    private void work() throws IOException {
        requireOpen();
        volume.work(file);
        requireOpen();
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count = read(target, position);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public int read(ByteBuffer target, long from) throws IOException {
        work();
        return file.read(target, (int) from);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            int count = read(targets[i]);
            if (count < 0) {
                return all == 0 ? count : all;
            }
            all += count;
        }
        return all;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int count = write(source, position);
        position += count;
        return count;
    }

    @Override
    public int write(ByteBuffer source, long to) throws IOException {
        int all = 0;
        while (source.hasRemaining()) {
            work();
            int at = (int) to + all;
            int room = volume.room(file, at, source.remaining());
            int count = file.write(source, at, room);
            all += count;
            if (count == 0) {
                return all;
            }
        }
        return all;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            all += write(sources[i]);
            if (sources[i].hasRemaining()) {
                return all;
            }
        }
        return all;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long next) {
        position = next;
        return this;
    }

    @Override
    public long size() throws IOException {
        requireOpen();
        return file.length();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        work();
        file.truncate((int) size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        work();
        file.sync();
    }

    @Override
    public FileLock tryLock(long from, long size, boolean shared) {
        return new SimulatedLock(this, from, size, shared);
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) {
        return new SimulatedLock(this, from, size, shared);
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("not simulated");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) {
        throw new UnsupportedOperationException("not simulated");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("not simulated");
    }

    @Override
    protected void implCloseChannel() {
        // Files stay.
    }

    private static final class SimulatedLock extends FileLock {
        SimulatedLock(FileChannel channel, long from, long size, boolean shared) {
            super(channel, from, size, shared);
        }

        @Override
        public boolean isValid() {
            return acquiredBy().isOpen();
        }

        @Override
        public void release() {
            // The lock ends with its channel.
        }
    }
}
