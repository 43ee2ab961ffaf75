package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every example in the README compiles as it stands. */
class ReadmeTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PUBLIC_CLASS = Pattern.compile("public class (\\w+)");

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> everyExampleCompiles() throws Exception {
        List<String> examples = EXAMPLE.matcher(Files.readString(Path.of("README.md")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(2);
        return examples.stream()
                .map(example -> DynamicTest.dynamicTest(
                        example.lines().skip(5).findFirst().orElse(""),
                        () -> assertThat(compile(example)).isEmpty()));
    }

    /** The name that the file of an example must have: that of its public class. */
    private static String name(String example) {
        Matcher name = PUBLIC_CLASS.matcher(example);
        return name.find() ? name.group(1) : "Example";
    }

    private List<String> compile(String example) throws Exception {
        Path source = Files.writeString(folder.resolve(name(example) + ".java"), example);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(said, null, null)) {
            List<String> options =
                    List.of("-d", folder.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
            boolean _ = compiler.getTask(null, files, said, options, null, files.getJavaFileObjects(source))
                    .call();
        }
        return said.getDiagnostics().stream().map(Object::toString).toList();
    }
}
