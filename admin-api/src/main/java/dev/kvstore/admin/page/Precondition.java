package dev.kvstore.admin.page;

import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The version of a resource that a caller expects: {@code If-Match} and {@code If-None-Match} of RFC 9110.
 *
 * @param versions the versions of which the resource must have one; empty if it must exist in any version; null if it
 *     need not exist
 * @param missing whether the resource must not exist
 */
public record Precondition(@Nullable List<Long> versions, boolean missing) {
    /**
     * The precondition of a request.
     *
     * @throws ProblemException if a header cannot be read
     */
    public static Precondition of(@Nullable String ifMatch, @Nullable String ifNoneMatch) {
        if (ifNoneMatch != null && !ifNoneMatch.strip().equals("*")) {
            throw ProblemException.invalid("If-None-Match", "must be *");
        }
        return new Precondition(ifMatch == null ? null : versions(ifMatch), ifNoneMatch != null);
    }

    private static List<Long> versions(String ifMatch) {
        return ifMatch.strip().equals("*")
                ? List.of()
                : Arrays.stream(ifMatch.split(",", -1))
                        .map(Precondition::version)
                        .toList();
    }

    private static long version(String tag) {
        String bare = tag.strip();
        try {
            if (bare.length() > 2 && bare.startsWith("\"") && bare.endsWith("\"")) {
                return Long.parseLong(bare.substring(1, bare.length() - 1));
            }
        } catch (NumberFormatException e) {
            // A tag of another server matches nothing.
            return -1;
        }
        throw ProblemException.invalid("If-Match", "must be * or the ETag of an answer, quotes included");
    }

    /** The entity tag of a version. */
    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    /**
     * Checks that the resource is as the caller expects.
     *
     * @param version of the resource; null if it does not exist
     * @throws ProblemException {@link ProblemKind#PRECONDITION_FAILED} (412) if it is not
     */
    public void check(@Nullable Long version) {
        check(version, false);
    }

    /**
     * Checks that a resource that may have ended is as the caller expects.
     *
     * @param ended whether the resource exists, but is deleted: then both a request to create it and a request to
     *     change it pass
     */
    public void check(@Nullable Long version, boolean ended) {
        boolean holds = version == null
                ? versions == null
                : (!missing || ended) && (versions == null || versions.isEmpty() || versions.contains(version));
        if (!holds) {
            throw ProblemException.of(
                    ProblemKind.PRECONDITION_FAILED,
                    version == null
                            ? "the resource does not exist"
                            : missing
                                    ? "the resource exists already, with the ETag " + tag(version)
                                    : "the resource has the ETag " + tag(version) + ": read it again");
        }
    }
}
