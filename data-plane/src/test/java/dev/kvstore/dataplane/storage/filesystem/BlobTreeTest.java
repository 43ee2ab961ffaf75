package dev.kvstore.dataplane.storage.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders that are forced, and folders that need not be. */
class BlobTreeTest {
    @TempDir
    private Path root;

    private final List<Path> forced = new ArrayList<>();
    private BlobTree tree = new BlobTree(Path.of("unused"), new Noting(forced));

    @BeforeEach
    void open() {
        tree = new BlobTree(root, new Noting(forced));
    }

    @Test
    void theFirstBlobOfAFolderHasAllFoldersForced() throws IOException {
        put("a/b/1");

        assertThat(forced).containsExactly(root.resolve("a/b"), root.resolve("a"), root);
    }

    @Test
    void laterOnesHaveOnlyForcedWhatIsNew() throws IOException {
        put("a/b/1");
        forced.clear();

        put("a/b/2");
        put("a/c/1");

        assertThat(forced).containsExactly(root.resolve("a/b"), root.resolve("a/c"), root.resolve("a"));
    }

    @Test
    void foldersThatWereRemovedAndCreatedAgainAreForcedAgain() throws IOException {
        put("a/b/1");
        Files.delete(tree.file("a/b/1"));
        Files.delete(root.resolve("a/b"));
        Files.delete(root.resolve("a"));
        forced.clear();

        put("a/b/1");

        assertThat(forced).containsExactly(root.resolve("a/b"), root.resolve("a"), root);
    }

    private void put(String name) throws IOException {
        Path file = tree.file(name);
        tree.createFolders(file);
        Files.createFile(file);
        tree.makeDurable(file);
    }

    /** The file system, with a note of each folder that is forced. */
    private record Noting(FileOperations files, List<Path> forced) implements FileOperations {
        Noting(List<Path> forced) {
            this(new RealFiles(), forced);
        }

        @Override
        public void force(Path folder) throws IOException {
            files.force(folder);
            forced.add(folder);
        }

        @Override
        public NewFile create(Path file, boolean direct) throws IOException {
            return files.create(file, direct);
        }

        @Override
        public boolean takesDirect(Path folder) throws IOException {
            return files.takesDirect(folder);
        }

        @Override
        public void createFolders(Path folder) throws IOException {
            files.createFolders(folder);
        }

        @Override
        public void link(Path name, Path file) throws IOException {
            files.link(name, file);
        }

        @Override
        public void move(Path file, Path name) throws IOException {
            files.move(file, name);
        }

        @Override
        public boolean deleteIfExists(Path name) throws IOException {
            return files.deleteIfExists(name);
        }

        @Override
        public Closeable lock(Path file) throws IOException {
            return files.lock(file);
        }
    }
}
