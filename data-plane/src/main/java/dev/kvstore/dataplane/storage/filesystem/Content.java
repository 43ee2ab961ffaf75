package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.LentContent;
import java.nio.ByteBuffer;

/** What a file is to hold. */
sealed interface Content {
    /** Length in bytes. */
    int length();

    /** Bytes that may be gone before they are written, so that they are copied first. */
    record Copied(LentContent lent) implements Content {
        @Override
        public int length() {
            return lent.length();
        }
    }

    /** Whole pages, which stay as they are until they are written: who waits for that has lent the memory for so long. */
    record Pages(BlockMemory memory) implements Content {
        @Override
        public int length() {
            return memory.length();
        }

        /** All of them; what follows the length is zero. */
        ByteBuffer all() {
            return memory.pages();
        }
    }
}
