package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.LentContent;

/** The content for a new file. */
sealed interface FileContent {
    /** Length in bytes. */
    int length();

    /** Bytes that may be gone before they are written, so that they are copied first. */
    record CopiedContent(LentContent lent) implements FileContent {
        @Override
        public int length() {
            return lent.length();
        }
    }

    /** Memory that begins on a page. It must not change until it is written; the waiting caller lends it. */
    record Pages(BlockMemory memory) implements FileContent {
        @Override
        public int length() {
            return memory.length();
        }
    }
}
