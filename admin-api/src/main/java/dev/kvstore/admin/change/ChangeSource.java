package dev.kvstore.admin.change;

import java.util.List;

/** Tells this process of changes, whichever control plane made them. Thread-safe. */
public interface ChangeSource {
    /** A receiver of changes within this process. It must not wait for anything. */
    @FunctionalInterface
    interface Hearer {
        /**
         * Receives changes. If this throws, the changes count as not received, and the next call has {@code reset}.
         *
         * @param news changes, lowest number first; may be empty
         * @param last the number of the last change; lower than before after a reset, if the database was restored to
         *     an earlier moment
         * @param reset whether everything known before may be out of date
         */
        void hear(List<Change> news, long last, boolean reset);
    }

    /** Adds a receiver of all changes from the next beat on. Its first call has {@code reset}. */
    void onChange(Hearer hearer);
}
