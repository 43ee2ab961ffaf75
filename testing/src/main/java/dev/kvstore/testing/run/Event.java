package dev.kvstore.testing.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An event that a worker reports: one line of standard output, which begins with {@link #MARK}. */
sealed interface Event {
    /** The mark that tells events from any other output of a test, or of a process that it starts. */
    String MARK = "##tests ";

    /** A class has begun. */
    record ClassStarted(String className) implements Event {}

    /** A test of the class has passed. */
    record Passed(String className) implements Event {}

    /** A property of the class was tried with generated cases. */
    record Generated(String className, long cases) implements Event {}

    /** A test, or a container such as a class, has failed. */
    record Failed(String className, String test, String reason, String trace) implements Event {}

    /** A test or container was skipped; an empty reason names nothing that is missing. */
    record Skipped(String className, String test, String reason) implements Event {
        // The text that JUnit and AssertJ put around the words of an assumption.
        private static final Pattern FRAMES =
                Pattern.compile("(?s)^Assumption failed: |^assumption was not met due to: \\[|(?<=.)\\] *\\n.*$");

        /** Whether the reason does not name what is missing: it is empty, or is JUnit's own text. */
        boolean isSilent() {
            return reason.isBlank()
                    || reason.startsWith("Assumption failed: assumption is")
                    || reason.endsWith("is @Disabled");
        }

        String reasonOrSilence() {
            return isSilent()
                    ? "WITHOUT A REASON, which fails the run"
                    : FRAMES.matcher(reason).replaceAll("");
        }
    }

    /** The classes of the unit have ended. */
    record UnitEnded() implements Event {}

    /** The line of this event. */
    default String line() {
        List<String> fields = switch (this) {
            case ClassStarted it -> List.of(it.className());
            case Passed it -> List.of(it.className());
            case Generated it -> List.of(it.className(), Long.toString(it.cases()));
            case Failed it -> List.of(it.className(), it.test(), it.reason(), it.trace());
            case Skipped it -> List.of(it.className(), it.test(), it.reason());
            case UnitEnded _ -> List.of();
        };
        return Stream.concat(
                        Stream.of(getClass().getSimpleName()), fields.stream().map(Event::encoded))
                .collect(Collectors.joining(" ", MARK, ""));
    }

    /** Reads the event of a line; empty if the line is none. */
    static Optional<Event> parse(String line) {
        int mark = line.indexOf(MARK);
        if (mark < 0) {
            return Optional.empty();
        }
        String[] words = line.substring(mark + MARK.length()).split(" ", -1);
        return Optional.ofNullable(
                switch (words[0]) {
                    case "ClassStarted" -> new ClassStarted(decoded(words[1]));
                    case "Passed" -> new Passed(decoded(words[1]));
                    case "Generated" -> new Generated(decoded(words[1]), Long.parseLong(decoded(words[2])));
                    case "Failed" ->
                        new Failed(decoded(words[1]), decoded(words[2]), decoded(words[3]), decoded(words[4]));
                    case "Skipped" -> new Skipped(decoded(words[1]), decoded(words[2]), decoded(words[3]));
                    case "UnitEnded" -> new UnitEnded();
                    default -> null;
                });
    }

    private static String encoded(String field) {
        return Base64.getEncoder().encodeToString(field.getBytes(UTF_8));
    }

    private static String decoded(String word) {
        return new String(Base64.getDecoder().decode(word), UTF_8);
    }
}
