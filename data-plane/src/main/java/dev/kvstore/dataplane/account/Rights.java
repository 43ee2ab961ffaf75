package dev.kvstore.dataplane.account;

import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All rights of a key on an account at a moment. Immutable. Every block asks, so a question only costs a look-up. */
public final class Rights {
    /** The rights of an owner: everything, for ever. */
    public static final Rights ALL = of(Arrays.stream(Access.values())
            .map(access -> new Right(access, null, null))
            .toList());

    private final List<Right> rights;
    private final Set<Access> everywhere = EnumSet.noneOf(Access.class);
    private final Map<Access, Set<String>> partitions = new EnumMap<>(Access.class);
    private final @Nullable Instant firstEnd;

    private Rights(List<Right> rights) {
        this.rights = List.copyOf(rights);
        Instant first = null;
        for (Right right : rights) {
            if (right.partition() == null) {
                everywhere.add(right.access());
            } else {
                partitions.computeIfAbsent(right.access(), _ -> new HashSet<>()).add(right.partition());
            }
            if (right.end() != null && (first == null || right.end().isBefore(first))) {
                first = right.end();
            }
        }
        this.firstEnd = first;
    }

    public static Rights of(List<Right> rights) {
        return new Rights(rights);
    }

    /** These rights without expired ones; this object if none has expired. */
    public Rights at(Instant now) {
        return firstEnd == null || now.isBefore(firstEnd)
                ? this
                : of(rights.stream()
                        .filter(right -> right.end() == null || now.isBefore(right.end()))
                        .toList());
    }

    /** Whether no right is left. */
    public boolean isEmpty() {
        return rights.isEmpty();
    }

    /** Whether the rights allow an access in every partition. */
    public boolean everywhere(Access access) {
        return everywhere.contains(access);
    }

    /** Whether the rights allow an access in some partition, if not in every one. */
    public boolean somewhere(Access access) {
        return partitions.containsKey(access);
    }

    /** Whether the rights allow an access in a partition. */
    public boolean in(String partition, Access access) {
        return everywhere(access) || partitions.getOrDefault(access, Set.of()).contains(partition);
    }
}
