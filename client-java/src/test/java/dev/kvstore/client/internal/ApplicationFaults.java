package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Faults that applications met and should not have met. Thread-safe. */
final class ApplicationFaults {
    /** How the client tells of steps of its own that failed. */
    private static final Pattern OWN = Pattern.compile(
            "failed here|the listener failed|writer failed|stream failed|result failed|could not be taken in");

    private final List<String> found = new CopyOnWriteArrayList<>();
    private final boolean exhausted;

    /** @param exhausted whether memory may be missing */
    ApplicationFaults(boolean exhausted) {
        this.exhausted = exhausted;
    }

    List<String> found() {
        return found;
    }

    void add(String fault) {
        found.add(fault);
    }

    /** Judges how an operation ended. */
    void judge(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        boolean expected = switch (cause) {
            case KvStoreException e ->
                exhausted || !OWN.matcher(String.valueOf(e.getMessage())).find();
            case OutOfMemoryError _ -> exhausted;
            case CancellationException _ -> true;
            // orTimeout's; the one of a wait that was too long is told otherwise.
            case TimeoutException _ -> true;
            default -> false;
        };
        if (!expected) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            found.add(trace.toString());
        }
    }
}
