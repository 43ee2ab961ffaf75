package dev.kvstore.dataplane.storage.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A disk with content that it holds for certain, and content that it may or may not hold when the power goes: content
 * of files that were not forced, names in folders that were not forced. Harsher than any journalling file system: each
 * name and each page stays or goes by itself, and forcing a file says nothing of its name. For one thread at a time.
 */
final class PowerCutDisk {
    // Less than a real one, so that small blobs have many.
    private static final int PAGE_BYTES = 256;

    /** The file or folder that a name may stand for. */
    private sealed interface Entry {}

    /** A file: what was written, and as much of it as is certain. */
    static final class Inode implements Entry {
        private byte[] written = new byte[0];
        private byte[] certain = new byte[0];
        private @Nullable Instant time;
        private @Nullable Instant certainTime;

        void write(byte[] bytes) {
            int end = written.length;
            written = Arrays.copyOf(written, end + bytes.length);
            System.arraycopy(bytes, 0, written, end, bytes.length);
        }

        void setModified(Instant modified) {
            time = modified;
        }

        void force() {
            certain = written;
            certainTime = time;
        }
    }

    private record NameChange(String name, @Nullable Entry entry) {}

    private static final class PowerCutFolder implements Entry {
        private final Map<String, Entry> live = new LinkedHashMap<>();
        private final Map<String, Entry> certain = new LinkedHashMap<>();
        private final List<NameChange> pending = new ArrayList<>();

        void set(String name, @Nullable Entry entry) {
            apply(live, new NameChange(name, entry));
            pending.add(new NameChange(name, entry));
        }

        void force() {
            pending.forEach(change -> apply(certain, change));
            pending.clear();
        }

        static void apply(Map<String, Entry> entries, NameChange change) {
            if (change.entry() == null) {
                entries.remove(change.name());
            } else {
                entries.put(change.name(), change.entry());
            }
        }
    }

    private final Path base;
    private final PowerCutFolder root = new PowerCutFolder();

    /** A disk whose folder {@code base} is there, and empty. */
    PowerCutDisk(Path base) {
        this.base = base;
    }

    private static String name(Path path) {
        return Objects.requireNonNull(path.getFileName()).toString();
    }

    private PowerCutFolder folder(Path path) {
        PowerCutFolder folder = root;
        for (Path segment : base.relativize(path)) {
            if (!segment.toString().isEmpty()) {
                folder = (PowerCutFolder) Objects.requireNonNull(folder.live.get(segment.toString()), path::toString);
            }
        }
        return folder;
    }

    private PowerCutFolder parent(Path path) {
        return folder(Objects.requireNonNull(path.getParent()));
    }

    void createFolders(Path path) {
        PowerCutFolder folder = root;
        for (Path segment : base.relativize(path)) {
            if (!folder.live.containsKey(segment.toString())) {
                folder.set(segment.toString(), new PowerCutFolder());
            }
            folder = (PowerCutFolder) Objects.requireNonNull(folder.live.get(segment.toString()));
        }
    }

    Inode create(Path file) {
        Inode inode = new Inode();
        parent(file).set(name(file), inode);
        return inode;
    }

    /** Gives the file of one name another. */
    void link(Path name, Path file) {
        parent(name).set(name(name), Objects.requireNonNull(parent(file).live.get(name(file))));
    }

    void delete(Path name) {
        parent(name).set(name(name), null);
    }

    /** Folders above the base are certain anyway. */
    void force(Path folder) {
        if (folder.startsWith(base)) {
            folder(folder).force();
        }
    }

    /** Puts what a power cut leaves, which the random source decides, into an empty folder. */
    void leave(SplittableRandom random, Path target) throws IOException {
        leave(root, random, target);
    }

    private static void leave(PowerCutFolder folder, SplittableRandom random, Path target) throws IOException {
        Map<String, Entry> left = new LinkedHashMap<>(folder.certain);
        // None, all, or any.
        int kept = random.nextInt(3);
        for (NameChange change : folder.pending) {
            if (kept == 0 ? random.nextBoolean() : kept == 1) {
                PowerCutFolder.apply(left, change);
            }
        }
        for (Map.Entry<String, Entry> entry : left.entrySet()) {
            Path path = target.resolve(entry.getKey());
            switch (entry.getValue()) {
                case PowerCutFolder inner -> leave(inner, random, Files.createDirectories(path));
                case Inode inode -> leave(inode, random, path);
            }
        }
    }

    private static void leave(Inode inode, SplittableRandom random, Path path) throws IOException {
        boolean whole = inode.certain.length == inode.written.length;
        Files.write(path, whole ? inode.written : torn(inode, random));
        Instant time =
                Objects.equals(inode.time, inode.certainTime) || random.nextBoolean() ? inode.time : inode.certainTime;
        Files.setLastModifiedTime(path, FileTime.from(time == null ? Instant.EPOCH : time));
    }

    /** As long as the file or shorter; some of its pages are zeros. */
    private static byte[] torn(Inode inode, SplittableRandom random) {
        int length = random.nextBoolean()
                ? inode.written.length
                : inode.certain.length + random.nextInt(inode.written.length - inode.certain.length + 1);
        byte[] bytes = Arrays.copyOf(inode.written, length);
        for (int page = inode.certain.length; page < length; page += PAGE_BYTES) {
            if (random.nextBoolean()) {
                Arrays.fill(bytes, page, Math.min(length, page + PAGE_BYTES), (byte) 0);
            }
        }
        return bytes;
    }
}
