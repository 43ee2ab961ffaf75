package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.Arguments;
import dev.kvstore.dataplane.storage.BlobName;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.Listed;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the tree in the order of names, up to the end of a page; a page's continuation is its last name. Other
 * programs may have put anything into the tree, and any number: no more names of a folder are held at a time than a
 * page has, and entries that are neither a blob's file nor a folder of blobs are passed over.
 */
final class TreeWalk {
    private final BlobTree tree;
    private final String prefix;
    private final String after;
    private final int limit;
    private final List<Listed> blobs = new ArrayList<>();

    TreeWalk(BlobTree tree, String prefix, @Nullable String after, int limit) {
        Arguments.requireLimit(limit);
        this.tree = tree;
        this.prefix = BlobName.requirePrefix(prefix);
        this.after = after == null ? "" : after;
        this.limit = limit;
    }

    BlobPage page() throws IOException {
        walk(prefix.substring(0, prefix.lastIndexOf('/') + 1));
        boolean more = blobs.size() > limit;
        return more ? new BlobPage(blobs.subList(0, limit), blobs.get(limit - 1).name()) : new BlobPage(blobs, null);
    }

    /** Goes through a folder, given by the beginning of its names. */
    private void walk(String folder) throws IOException {
        NavigableMap<String, Boolean> entries = entries(folder, "");
        while (!entries.isEmpty()) {
            for (Map.Entry<String, Boolean> entry : entries.entrySet()) {
                if (blobs.size() > limit) {
                    return;
                }
                if (!entry.getValue()) {
                    add(entry.getKey());
                } else if (Files.isDirectory(tree.folder(entry.getKey()), LinkOption.NOFOLLOW_LINKS)) {
                    walk(entry.getKey());
                }
            }
            // Folders may hold no blob: then there is room on the page for later names.
            entries = entries.size() <= limit ? Collections.emptyNavigableMap() : entries(folder, entries.lastKey());
        }
    }

    private void add(String name) throws IOException {
        try {
            BasicFileAttributes file =
                    Files.readAttributes(tree.file(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (file.isRegularFile()) {
                blobs.add(new Listed(name, file.size(), file.lastModifiedTime().toInstant()));
            }
        } catch (NoSuchFileException e) {
            // The file was deleted since its folder was read.
        }
    }

    /**
     * The entries of a folder that may hold names to list: full names, and folders (ending in '/', so that they sort
     * like the names in them). Only entries beyond a name, in order, and at most one more than a page has.
     */
    private NavigableMap<String, Boolean> entries(String folder, String beyond) throws IOException {
        NavigableMap<String, Boolean> entries = new TreeMap<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(tree.folder(folder))) {
            for (Path path : paths) {
                String file = BlobTree.fileName(path);
                boolean isFolder = !BlobTree.isBlob(file);
                String name = folder + BlobTree.segment(file, isFolder);
                // The order is checked first: most names of a large folder are not on the page, and the rest is dearer.
                boolean isFull = entries.size() > limit;
                if (name.compareTo(beyond) > 0
                        && !(isFull && name.compareTo(entries.lastKey()) > 0)
                        && mayList(name, isFolder)) {
                    entries.put(name, isFolder);
                    if (isFull) {
                        entries.pollLastEntry();
                    }
                }
            }
        } catch (NoSuchFileException e) {
            return Collections.emptyNavigableMap();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return entries;
    }

    private boolean mayList(String name, boolean isFolder) {
        return isFolder
                ? mayHold(name) && BlobName.is(name.substring(0, name.length() - 1))
                : name.compareTo(after) > 0 && name.startsWith(prefix) && BlobName.is(name);
    }

    private boolean mayHold(String folder) {
        return (folder.startsWith(prefix) || prefix.startsWith(folder))
                && (folder.compareTo(after) > 0 || after.startsWith(folder));
    }
}
