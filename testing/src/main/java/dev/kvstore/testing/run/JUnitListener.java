package dev.kvstore.testing.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Turns JUnit's reports into events. Thread-safe. */
final class JUnitListener implements TestExecutionListener {
    // This line is in the report of a jqwik property.
    private static final Pattern TRIES = Pattern.compile("(?m)^tries = ([0-9]{1,18}) ");

    private final Consumer<Event> events;
    private final Set<String> started = ConcurrentHashMap.newKeySet();
    private @Nullable TestPlan plan;

    JUnitListener(Consumer<Event> events) {
        this.events = events;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        this.plan = plan;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        // Two engines may each run a part of one class.
        className(test).filter(started::add).ifPresent(name -> events.accept(new Event.ClassStarted(name)));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String name = nameOf(test);
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    events.accept(new Event.Passed(name));
                }
            }
            case ABORTED -> events.accept(new Event.Skipped(name, test.getDisplayName(), reason(result)));
            case FAILED ->
                events.accept(new Event.Failed(
                        name,
                        test.getDisplayName(),
                        reason(result),
                        result.getThrowable().map(JUnitListener::trace).orElse("")));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        events.accept(new Event.Skipped(nameOf(test), test.getDisplayName(), reason));
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        // A property's sample and seed are reported nowhere else.
        entry.getKeyValuePairs().forEach((key, value) -> System.out.println(key + ": " + value));
        entry.getKeyValuePairs()
                .values()
                .forEach(value -> TRIES.matcher(value)
                        .results()
                        .forEach(tries ->
                                events.accept(new Event.Generated(nameOf(test), Long.parseLong(tries.group(1))))));
    }

    private String nameOf(TestIdentifier test) {
        return className(test).orElse(test.getLegacyReportingName());
    }

    /** The outermost class that a test or container belongs to; empty for an engine. */
    private Optional<String> className(TestIdentifier test) {
        Optional<String> own = test.getSource().flatMap(JUnitListener::className);
        if (own.isPresent()) {
            return own;
        }
        return plan == null ? Optional.empty() : plan.getParent(test).flatMap(this::className);
    }

    private static Optional<String> className(TestSource source) {
        @Nullable
        String name = switch (source) {
            case ClassSource type -> type.getClassName();
            case MethodSource method -> method.getClassName();
            default -> null;
        };
        return Optional.ofNullable(name).map(full -> full.split("\\$", 2)[0]);
    }

    private static String reason(TestExecutionResult result) {
        return result.getThrowable()
                .map(thrown -> Optional.ofNullable(thrown.getMessage()).orElse(""))
                .orElse("");
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
