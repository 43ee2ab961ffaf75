package dev.kvstore.clusters.region;

import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a region that an operator sets.
 *
 * @param displayName for people; the name if absent
 */
public record RegionSpec(
        @Nullable
        @Pattern(
                regexp = "[^\\x00-\\x1F\\x7F-\\x9F]{1,200}",
                message = "must have 1 to 200 characters, none of them control")
        String displayName) {}
