package dev.kvstore.terraform.azurerm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads the files of a tar archive, one after the other. For one thread. */
final class TarReader {
    private static final int RECORD = 512;
    private static final int NAME = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE = 12;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX = 155;

    private final InputStream in;
    private String name = "";
    private long left;
    private long padding;

    TarReader(InputStream in) {
        this.in = in;
    }

    /** Goes to the next entry; whether there is one. */
    boolean next() throws IOException {
        in.skipNBytes(left + padding);
        byte[] header = in.readNBytes(RECORD);
        if (header.length < RECORD || header[0] == 0) {
            return false;
        }
        String prefix = text(header, PREFIX_AT, PREFIX);
        name = (prefix.isEmpty() ? "" : prefix + "/") + text(header, 0, NAME);
        left = Long.parseLong(text(header, SIZE_AT, SIZE).strip(), 8);
        padding = Math.floorMod(-left, RECORD);
        return true;
    }

    /** Path of the entry. */
    String name() {
        return name;
    }

    /** The whole entry. */
    String text() throws IOException {
        byte[] content = in.readNBytes(Math.toIntExact(left));
        if (content.length < left) {
            throw new EOFException(name + " ends early");
        }
        left = 0;
        return new String(content, UTF_8);
    }

    private static String text(byte[] header, int at, int length) {
        int end = at;
        while (end < at + length && header[end] != 0) {
            end++;
        }
        return new String(header, at, end - at, US_ASCII);
    }
}
