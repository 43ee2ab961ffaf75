package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.Arguments;
import dev.kvstore.dataplane.storage.BlobName;
import dev.kvstore.dataplane.storage.Listed;
import dev.kvstore.dataplane.storage.Page;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A walk over the tree in the order of names, up to the end of a page; a page's continuation is its last name. */
final class Listing {
    private final BlobTree tree;
    private final String prefix;
    private final String after;
    private final int limit;
    private final List<Listed> blobs = new ArrayList<>();

    Listing(BlobTree tree, String prefix, @Nullable String after, int limit) {
        Arguments.requireLimit(limit);
        this.tree = tree;
        this.prefix = BlobName.requirePrefix(prefix);
        this.after = after == null ? "" : after;
        this.limit = limit;
    }

    Page page() throws IOException {
        walk(prefix.substring(0, prefix.lastIndexOf('/') + 1));
        boolean more = blobs.size() > limit;
        return more ? new Page(blobs.subList(0, limit), blobs.get(limit - 1).name()) : new Page(blobs, null);
    }

    /** Goes through a folder, given by what its names begin with. */
    private void walk(String folder) throws IOException {
        for (Map.Entry<String, Boolean> entry : entries(folder).entrySet()) {
            if (blobs.size() > limit) {
                return;
            }
            if (entry.getValue()) {
                walk(entry.getKey());
            } else {
                add(entry.getKey());
            }
        }
    }

    private void add(String name) throws IOException {
        try {
            BasicFileAttributes file =
                    Files.readAttributes(tree.file(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            blobs.add(new Listed(name, file.size(), file.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException e) {
            // Deleted since its folder was read.
        }
    }

    /** What may hold names to list: full names, and folders (ending in '/', so that they sort as what is in them). */
    private Map<String, Boolean> entries(String folder) throws IOException {
        Map<String, Boolean> entries = new TreeMap<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(tree.folder(folder))) {
            for (Path path : paths) {
                boolean isFolder = !BlobTree.isBlob(path);
                String name = folder + BlobTree.segment(path, isFolder);
                if (isFolder ? mayHold(name) : name.startsWith(prefix) && name.compareTo(after) > 0) {
                    entries.put(name, isFolder);
                }
            }
        } catch (NoSuchFileException e) {
            return Map.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return entries;
    }

    private boolean mayHold(String folder) {
        return (folder.startsWith(prefix) || prefix.startsWith(folder))
                && (folder.compareTo(after) > 0 || after.startsWith(folder));
    }
}
