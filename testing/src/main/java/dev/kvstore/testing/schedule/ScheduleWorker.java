package dev.kvstore.testing.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Runs tests that explore schedules. Each line of standard input names a class and a method. */
public final class ScheduleWorker {
    /** The mark at the beginning of an answer; the stack trace of the failure follows, or nothing. */
    static final String MARK = "##schedules ";

    private ScheduleWorker() {}

    public static void main(String[] arguments) throws InterruptedException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        System.setOut(System.err);
        BlockingQueue<String> tests = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().start(() -> read(tests));
        while (true) {
            String[] test = tests.take().split(" ", 2);
            answers.println(MARK
                    + Base64.getEncoder()
                            .encodeToString(failure(test[0], test[1]).getBytes(UTF_8)));
        }
    }

    /**
     * Reads the names of tests. Ends this JVM with the one that sends them, even within a schedule that does not end.
     */
    private static void read(BlockingQueue<String> tests) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                tests.add(line);
            }
        } catch (IOException e) {
            // The other JVM was killed.
        }
        Runtime.getRuntime().halt(0);
    }

    private static String failure(String className, String method) {
        try {
            Constructor<?> constructor = Class.forName(className).getDeclaredConstructor();
            constructor.setAccessible(true);
            Method test = constructor.getDeclaringClass().getDeclaredMethod(method);
            test.setAccessible(true);
            test.invoke(constructor.newInstance());
            return "";
        } catch (InvocationTargetException e) {
            return trace(e.getCause() == null ? e : e.getCause());
        } catch (ReflectiveOperationException e) {
            return trace(e);
        }
    }

    private static String trace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
