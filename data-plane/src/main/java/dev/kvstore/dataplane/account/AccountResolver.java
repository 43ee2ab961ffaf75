package dev.kvstore.dataplane.account;

import org.jspecify.annotations.Nullable;

/** Answers which rights a key has on a resource. Thread-safe. */
public interface AccountResolver extends AutoCloseable {
    /** Whether a key exists, as far as this process knows. Never waits, since network threads ask. */
    KeyStanding standing(Credential credential);

    /**
     * Like {@link #standing}, but asks the control plane if this process does not know. May wait for a few seconds, and
     * is meant for virtual threads.
     */
    default KeyStanding identify(Credential credential) {
        return standing(credential);
    }

    /**
     * The party for which a key's calls count: the key's tenant, or the key alone if this process does not know its
     * tenant. Never waits, since network threads ask.
     */
    Party party(Credential credential);

    /** Accounts known now. */
    int count();

    /**
     * The rights that a key has on a resource now. May wait for the control plane for a few seconds, and is meant for
     * virtual threads. A known answer costs a look into a map.
     *
     * @param resourceName as it came over the wire, of any content
     */
    Resolution resolve(Credential credential, String resourceName);

    /** Like {@link #resolve}, but never waits: null if the control plane must be asked. For network threads. */
    @Nullable
    Resolution known(Credential credential, String resourceName);

    /** Forgets all answers of the control plane, and asks again when they are needed. */
    default void refresh() {}

    @Override
    default void close() {}
}
