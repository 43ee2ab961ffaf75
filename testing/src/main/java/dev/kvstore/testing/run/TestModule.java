package dev.kvstore.testing.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A module whose tests are compiled.
 *
 * @param folder the folder in which its tests run
 * @param classPath the class path of its tests: with its own classes first
 * @param classes full names of its test classes, in order
 */
record TestModule(String name, Path folder, List<String> classPath, List<String> classes) {
    private static final String CLASS = ".class";

    TestModule {
        classPath = List.copyOf(classPath);
        classes = List.copyOf(classes);
    }

    /**
     * Reads the files that the build left in {@code target}.
     *
     * @throws IOException if the module was not built
     */
    static TestModule read(Path folder) throws IOException {
        Path target = folder.resolve("target");
        Path tests = target.resolve("test-classes");
        Path dependencies = target.resolve("test-classpath.txt");
        if (!Files.exists(dependencies)) {
            throw new IOException(folder + " has no target/test-classpath.txt: build it with \"kv check\"");
        }
        List<String> classPath = Stream.concat(
                        Stream.of(tests.toString(), target.resolve("classes").toString()),
                        Arrays.stream(Files.readString(dependencies).strip().split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .toList();
        return new TestModule(folder.getFileName().toString(), folder, classPath, testClasses(tests));
    }

    /**
     * Divides classes of this module into units. Tests of a Quarkus application share one running application, which
     * JUnit starts and stops with each request; every other class runs on its own.
     *
     * @throws IOException if a class file cannot be read
     */
    List<List<String>> inUnits(List<String> chosen) throws IOException {
        Path tests = folder.resolve("target/test-classes");
        List<String> together = new ArrayList<>();
        List<List<String>> units = new ArrayList<>();
        for (String name : chosen) {
            if (ApplicationTests.contains(tests, name)) {
                together.add(name);
            } else {
                units.add(List.of(name));
            }
        }
        if (!together.isEmpty()) {
            units.add(List.copyOf(together));
        }
        return units;
    }

    private static List<String> testClasses(Path tests) {
        if (!Files.isDirectory(tests)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> tests.relativize(file).toString())
                    .filter(name -> name.endsWith(CLASS) && !name.contains("$"))
                    .map(name ->
                            name.substring(0, name.length() - CLASS.length()).replace(File.separatorChar, '.'))
                    .filter(Lane.FULL::takes)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
