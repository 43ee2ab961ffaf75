package dev.kvstore.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** Applies a patch to copies of the source files that it changes, and compiles the copies. */
final class BugCompiler {
    private static final String CHANGED = "+++ b/";

    private final Path checkout;

    BugCompiler(Path checkout) {
        this.checkout = checkout;
    }

    /** @param classes the folder for the class files, which this method creates */
    void compile(Path patch, Path sources, Path classes) throws IOException, InterruptedException {
        Files.createDirectories(classes);
        List<String> words = new ArrayList<>(
                List.of("-g", "-parameters", "-nowarn", "-proc:none", "-cp", System.getProperty("java.class.path")));
        words.addAll(List.of("-d", classes.toString()));
        for (String line : Files.readAllLines(patch)) {
            if (line.startsWith(CHANGED)) {
                String name = line.substring(CHANGED.length());
                Path copy = sources.resolve(name);
                Files.createDirectories(copy.getParent());
                Files.copy(checkout.resolve(name), copy);
                words.add(copy.toString());
            }
        }
        Process git = new ProcessBuilder(
                        "git",
                        "apply",
                        "--recount",
                        "--whitespace=nowarn",
                        patch.toAbsolutePath().toString())
                .directory(sources.toFile())
                .inheritIO()
                .start();
        if (git.waitFor() != 0) {
            throw new IOException(patch + " does not fit the sources any more");
        }
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)) != 0) {
            throw new IOException(patch + " does not compile");
        }
    }
}
