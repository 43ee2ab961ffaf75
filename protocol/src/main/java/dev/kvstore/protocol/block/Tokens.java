package dev.kvstore.protocol.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Token ids, read in place wherever they lie: an array, a message, a stored header. */
public interface Tokens {
    int size();

    /** The token id at {@code index}, 0 to size - 1. */
    int get(int index);

    /**
     * Writes the token ids from index {@code from} up to {@code to} at a buffer's position, and moves the position on.
     *
     * @param target little-endian, with room for the ids
     */
    default void putTo(ByteBuffer target, int from, int to) {
        for (int i = from; i < to; i++) {
            target.putInt(get(i));
        }
    }

    static Tokens of(int... ids) {
        return slice(ids, 0, ids.length);
    }

    /** The tokens in {@code size} ids of an array, which the caller must not change. */
    static Tokens slice(int[] ids, int from, int size) {
        return new Tokens() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public int get(int index) {
                return ids[from + index];
            }

            @Override
            public void putTo(ByteBuffer target, int first, int end) {
                target.asIntBuffer().put(ids, from + first, end - first);
                target.position(target.position() + (end - first) * Integer.BYTES);
            }
        };
    }

    /** The tokens in {@code size} ids of a list, which the caller must not change. */
    static Tokens slice(List<Integer> ids, int from, int size) {
        return new Tokens() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public int get(int index) {
                return ids.get(from + index);
            }
        };
    }

    /** The tokens in a buffer's remaining bytes, as little-endian int32. */
    static Tokens of(ByteBuffer littleEndian) {
        ByteBuffer view = littleEndian.slice().order(ByteOrder.LITTLE_ENDIAN);
        return new Tokens() {
            @Override
            public int size() {
                return view.capacity() / 4;
            }

            @Override
            public int get(int index) {
                return view.getInt(index * 4);
            }

            @Override
            public void putTo(ByteBuffer target, int first, int end) {
                target.put(view.slice(first * 4, (end - first) * 4));
            }
        };
    }

    default int[] toArray() {
        int[] ids = new int[size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = get(i);
        }
        return ids;
    }
}
