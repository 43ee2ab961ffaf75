package dev.kvstore.dataplane.tier.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A file system in a file, whose writes can be made to hang, where this user may mount one. */
record LoopDisk(Path folder) implements AutoCloseable {
    private static final long BYTES = 24 << 20;

    static LoopDisk at(Path folder, Path image) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(BYTES);
        }
        assumeTrue(
                Mount.run("mkfs.ext4", "-q", "-F", image.toString())
                        && Mount.run("mount", "-o", "loop", image.toString(), folder.toString()),
                "missing: the right to mount a loop device, a disk that can be frozen");
        return new LoopDisk(folder);
    }

    /** From now on every write waits. */
    void freeze() throws IOException {
        if (!Mount.run("fsfreeze", "-f", folder.toString())) {
            throw new IOException(folder + ": cannot be frozen");
        }
    }

    void thaw() throws IOException {
        if (!Mount.run("fsfreeze", "-u", folder.toString())) {
            throw new IOException(folder + ": cannot be thawed");
        }
    }

    /** Thaws it too: what waits for a frozen disk waits for ever. */
    @Override
    public void close() throws IOException {
        boolean _ = Mount.run("fsfreeze", "-u", folder.toString());
        new Mount(folder).close();
    }
}
