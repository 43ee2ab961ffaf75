package dev.kvstore.dataplane.storage;

/**
 * The names that blobs may have in every backend: one or more segments of {@code [a-z0-9._-]} joined by '/', each of 1
 * to 200 characters and not ending in '.', 1 to 512 characters in all. File systems hold no more than 255 bytes to a
 * segment, Azure may drop a '.' at the end of one, and a path made of such segments stays below its root.
 */
public final class BlobName {
    /** Most characters of a name. */
    public static final int MAX_LENGTH = 512;

    /** Most characters of a segment. */
    public static final int MAX_SEGMENT_LENGTH = 200;

    private BlobName() {}

    /**
     * Returns the name if it keeps these rules.
     *
     * @throws IllegalArgumentException if not, saying why
     */
    public static String require(String name) {
        if (name.isEmpty() || name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "blob name has " + name.length() + " characters, not 1 to " + MAX_LENGTH);
        }
        int segment = 0;
        for (int end = 0; end <= name.length(); end++) {
            if (end == name.length() || name.charAt(end) == '/') {
                requireSegment(name, segment, end);
                segment = end + 1;
            } else {
                requireCharacter(name, end);
            }
        }
        return name;
    }

    /** Whether a name keeps these rules: names of blobs that other programs stored may break them. */
    public static boolean is(String name) {
        try {
            require(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Returns the prefix if names can begin with it.
     *
     * @throws IllegalArgumentException if not, saying why
     */
    public static String requirePrefix(String prefix) {
        int folder = prefix.lastIndexOf('/');
        if (folder >= 0) {
            require(prefix.substring(0, folder));
        }
        if (prefix.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("prefix has more than " + MAX_LENGTH + " characters");
        }
        for (int i = folder + 1; i < prefix.length(); i++) {
            requireCharacter(prefix, i);
        }
        return prefix;
    }

    private static void requireSegment(String name, int from, int to) {
        if (from == to || to - from > MAX_SEGMENT_LENGTH) {
            throw new IllegalArgumentException("blob name \"" + name + "\" has a segment of " + (to - from)
                    + " characters, not 1 to " + MAX_SEGMENT_LENGTH);
        }
        if (name.charAt(to - 1) == '.') {
            throw new IllegalArgumentException("blob name \"" + name + "\" has a segment that ends in '.'");
        }
    }

    private static void requireCharacter(String name, int at) {
        char c = name.charAt(at);
        if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-') {
            throw new IllegalArgumentException(
                    "blob name has U+%04X at %d, not one of a-z 0-9 . _ - /".formatted((int) c, at));
        }
    }
}
