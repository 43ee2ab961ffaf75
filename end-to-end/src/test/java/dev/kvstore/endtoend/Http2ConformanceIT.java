package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code h2spec} holds both gRPC ports against the standard of HTTP/2, and reports what docs/operations/security.md
 * says, no more and no less.
 */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Http2ConformanceIT {
    /**
     * Where the transport of gRPC-Java and Netty differs. 5.1/6 and 5.1/12: HEADERS on a stream that the client has closed
     * end no connection. 5.1.1/2: neither does a smaller stream identifier. 8.1.2.3: a request with an empty {@code :path},
     * or without {@code :method}, {@code :scheme} or {@code :path}, is answered. None of these lets a caller hold more than
     * one stream.
     */
    private static final Set<String> EXCEPTIONS =
            Set.of("5.1/6", "5.1/12", "5.1.1/2", "8.1.2.3/1", "8.1.2.3/2", "8.1.2.3/3", "8.1.2.3/4");

    /** The heading of a section, and a case of it that failed; the report of failures alone is read. */
    private static final Pattern SECTION = Pattern.compile("^\\s*(\\d+(?:\\.\\d+)*)\\. .*");

    private static final Pattern FAILED = Pattern.compile("^\\s*[\u00d7x] (\\d+): .*");

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path h2spec;

    @SuppressWarnings("NullAway.Init")
    private LocalStack stack;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        h2spec = GoTool.H2SPEC.path();
        stack = Stacks.startFast(folder, StorageKind.FILESYSTEM, StackLayout.single(1));
    }

    @AfterAll
    void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void ofADataPlane() throws IOException, InterruptedException {
        assertThat(failed(stack.endpoints().getFirst())).isEqualTo(new TreeSet<>(EXCEPTIONS));
    }

    @Test
    void ofTheControlPlane() throws IOException, InterruptedException {
        String address = Objects.requireNonNull(stack.controlPlane()).address();
        assertThat(failed(address)).isEqualTo(new TreeSet<>(EXCEPTIONS));
    }

    /** The cases that failed, as section/number. */
    private Set<String> failed(String endpoint) throws IOException, InterruptedException {
        int colon = endpoint.lastIndexOf(':');
        String report = GoTool.run(
                folder,
                Map.of(),
                List.of(
                        h2spec.toString(),
                        "-h",
                        endpoint.substring(0, colon),
                        "-p",
                        endpoint.substring(colon + 1),
                        "-o",
                        "6"));
        assertThat(report).contains("145 tests, ");
        Set<String> failed = new TreeSet<>();
        String section = "";
        for (String line : report.lines().toList()) {
            Matcher heading = SECTION.matcher(line);
            Matcher one = FAILED.matcher(line);
            if (heading.matches()) {
                section = heading.group(1);
            } else if (one.matches()) {
                failed.add(section + "/" + one.group(1));
            }
        }
        return failed;
    }
}
