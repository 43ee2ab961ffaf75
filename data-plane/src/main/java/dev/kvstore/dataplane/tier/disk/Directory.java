package dev.kvstore.dataplane.tier.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.protocol.format.Crc32c;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page that precedes the blocks of a batch and says which they are. Little-endian:
 *
 * <pre>
 *    0  8  magic "KVDISK\0\0"
 *    8  4  version, 1
 *   12  4  number of entries, at most 167
 *   16  8  generation of the region: how many regions were begun before it
 *   24  4  page of the region this one is
 *   28  4  pages of the batch, this one among them
 *   32  4  checksum of the directory before it in the region, 0 for the first
 *   36 28  0
 *   64 24  each entry: key 16, page of the region 4, length in bytes 4; page and length 0 if the block was forgotten
 * 4092  4  CRC32C of all before
 * </pre>
 *
 * <p>The checksum before it makes a region's directories a chain: a directory that an earlier life of the region left
 * behind, even one of the same generation, does not follow. Immutable.
 *
 * @param crc32c of this directory
 */
record Directory(long generation, int page, int pages, int previous, List<DirectoryEntry> entries, int crc32c) {
    /** A record; without a disk address it says that earlier records of this key are forgotten. */
    record DirectoryEntry(RecordKey key, @Nullable DiskAddress place) {}

    static final int BYTES = BlockMemory.PAGE_BYTES;
    static final int MAX_ENTRIES = 167;

    private static final long MAGIC = ByteBuffer.wrap("KVDISK\0\0".getBytes(US_ASCII))
            .order(ByteOrder.LITTLE_ENDIAN)
            .getLong();
    private static final int VERSION = 1;
    private static final int AT_CRC32C = BYTES - Integer.BYTES;
    private static final int AT_ENTRIES = 64;

    /**
     * Writes a directory.
     *
     * @param target a page, filled from its start
     * @return its checksum
     */
    static int write(
            ByteBuffer target, long generation, int page, int pages, int previous, List<DirectoryEntry> entries) {
        ByteBuffer bytes = target.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC)
                .putInt(VERSION)
                .putInt(entries.size())
                .putLong(generation)
                .putInt(page)
                .putInt(pages)
                .putInt(previous)
                .put(new byte[AT_ENTRIES - bytes.position()]);
        for (DirectoryEntry entry : entries) {
            DiskAddress place = entry.place();
            bytes.putLong(entry.key().high())
                    .putLong(entry.key().low())
                    .putInt(place == null ? 0 : place.page())
                    .putInt(place == null ? 0 : place.length());
        }
        bytes.put(new byte[AT_CRC32C - bytes.position()]);
        int crc32c = Crc32c.of(bytes.slice(0, AT_CRC32C));
        bytes.putInt(crc32c);
        return crc32c;
    }

    /** The directory in a page, or null if there is none that this version can read. */
    static @Nullable Directory read(ByteBuffer source, int region) {
        ByteBuffer bytes = source.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int crc32c = bytes.getInt(AT_CRC32C);
        if (bytes.getLong() != MAGIC || bytes.getInt() != VERSION || Crc32c.of(bytes.slice(0, AT_CRC32C)) != crc32c) {
            return null;
        }
        int count = bytes.getInt();
        long generation = bytes.getLong();
        int page = bytes.getInt();
        int pages = bytes.getInt();
        int previous = bytes.getInt();
        if (count < 0 || count > MAX_ENTRIES || pages < 1 || page < 0 || page > DiskAddress.MAX_PAGES - pages) {
            return null;
        }
        List<DirectoryEntry> entries = new ArrayList<>(count);
        bytes.position(AT_ENTRIES);
        for (int i = 0; i < count; i++) {
            RecordKey key = new RecordKey(bytes.getLong(), bytes.getLong());
            int at = bytes.getInt();
            int length = bytes.getInt();
            if (length == 0) {
                entries.add(new DirectoryEntry(key, null));
            } else if (length > 0
                    && length <= DiskAddress.MAX_LENGTH
                    && at > page
                    && at + DiskAddress.pages(length) <= page + pages) {
                entries.add(new DirectoryEntry(key, new DiskAddress(region, at, length)));
            } else {
                return null;
            }
        }
        return new Directory(generation, page, pages, previous, entries, crc32c);
    }
}
