package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.account.Credential;
import java.util.Set;

/** Keys, by their ids, and resources of which something changed. */
record ChangedSubjects(Set<String> keyIds, Set<String> resourceNames) {
    boolean touches(Credential credential) {
        return keyIds.contains(credential.keyId());
    }

    boolean touches(ResolutionSubject subject) {
        return touches(subject.credential()) || resourceNames.contains(subject.resourceName());
    }

    int count() {
        return keyIds.size() + resourceNames.size();
    }
}
