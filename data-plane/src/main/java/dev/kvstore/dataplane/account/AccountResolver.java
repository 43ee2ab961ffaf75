package dev.kvstore.dataplane.account;

import org.jspecify.annotations.Nullable;

/** Answers who may use what. Thread-safe. */
public interface AccountResolver extends AutoCloseable {
    /**
     * Whether somebody has a key, as far as that is known here; what the key may use is another question. Never waits,
     * since network threads ask.
     */
    Standing standing(Credential credential);

    /** As above, but asks where that is not known. May wait for a few seconds, and is meant for virtual threads. */
    default Standing identify(Credential credential) {
        return standing(credential);
    }

    /**
     * The party that a key's calls are counted for: the tenant that the key belongs to; the key alone, where its tenant is not
     * known here. Never waits, since network threads ask.
     */
    Party party(Credential credential);

    /** Accounts known now. */
    int count();

    /**
     * What a key may do with a resource at this moment. May wait for somebody else's answer for a few seconds, and is
     * meant for virtual threads; what is known already costs a look into a map.
     *
     * @param resourceName as it came over the wire, of any content
     */
    Resolution resolve(Credential credential, String resourceName);

    /** As above, but null where that would wait; for network threads. */
    @Nullable
    Resolution known(Credential credential, String resourceName);

    /** Forgets what was said by somebody who may say something else now; asks again when it is needed. */
    default void refresh() {}

    @Override
    default void close() {}
}
