package dev.kvstore.control.warming.admin;

import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.control.warming.WarmingFailures;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The failure after which a list continues. */
record FailureCursor(int chunk, int block) {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,9}) (\\d{1,9})");

    static String name(WarmingFailures.CopyFailure failure) {
        return failure.chunk() + " " + failure.block();
    }

    /** @throws ProblemException if no list gave out this name */
    static FailureCursor of(String name) {
        if (name.isEmpty()) {
            return new FailureCursor(-1, -1);
        }
        Matcher numbers = SHAPE.matcher(name);
        if (!numbers.matches()) {
            throw ProblemException.invalid("cursor", "must be the next of a page before");
        }
        return new FailureCursor(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
    }
}
