package dev.kvstore.dataplane.storage.filesystem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.BiConsumer;

/** An actor's operations on its files, step by step: on real files, and on the disk whose power may go. */
record PowerCutOperations(Interleaving.Actor actor, PowerCutDisk disk, BiConsumer<Path, Boolean> named)
        implements FileOperations {
    private static final FileOperations FILES = new RealFiles();

    /**
     * The operations of a actor.
     *
     * @param named is told of each name that came to be (true) or went, in order
     */
    PowerCutOperations {}

    @Override
    public NewFile create(Path file, boolean direct) throws IOException {
        actor.step();
        NewFile real = FILES.create(file, false);
        return new PowerCutFile(actor, disk.create(file), real);
    }

    @Override
    public boolean takesDirect(Path folder) {
        return true;
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        actor.step();
        FILES.createFolders(folder);
        disk.createFolders(folder);
    }

    @Override
    public void link(Path name, Path file) throws IOException {
        actor.step();
        FILES.link(name, file);
        disk.link(name, file);
        named.accept(name, true);
    }

    @Override
    public void move(Path file, Path name) throws IOException {
        actor.step();
        FILES.move(file, name);
        disk.link(name, file);
        disk.delete(file);
        named.accept(name, true);
    }

    @Override
    public boolean deleteIfExists(Path name) throws IOException {
        actor.step();
        boolean deleted = FILES.deleteIfExists(name);
        if (deleted) {
            disk.delete(name);
            named.accept(name, false);
        }
        return deleted;
    }

    @Override
    public void force(Path folder) throws IOException {
        actor.step();
        disk.force(folder);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return actor.lock(file);
    }

    private record PowerCutFile(Interleaving.Actor actor, PowerCutDisk.Inode inode, NewFile real) implements NewFile {
        @Override
        public void write(ByteBuffer bytes) throws IOException {
            actor.step();
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            real.write(bytes);
            inode.write(copy);
        }

        @Override
        public void setModified(Instant time) throws IOException {
            actor.step();
            real.setModified(time);
            inode.setModified(time);
        }

        @Override
        public void force() throws IOException {
            actor.step();
            inode.force();
        }

        @Override
        public void close() throws IOException {
            real.close();
        }
    }
}
