package dev.kvstore.testing.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Records with JaCoCo the lines and branches that the tests of a run covered. An agent in each worker adds to one file
 * when the worker ends; a killed worker, and processes that tests start, add nothing. Code that a build generates is
 * not counted.
 *
 * @param folder the folder for the data and, for each module, a report in HTML
 * @param agent JaCoCo's agent
 * @param reporter JaCoCo's command line
 */
record Coverage(Path folder, Path agent, Path reporter) {
    private static final String CLASS = ".class";

    /**
     * Makes one with the JaCoCo of this JVM's class path, and empties the folder.
     *
     * @throws IOException if JaCoCo is not on the class path
     */
    static Coverage into(Path folder) throws IOException {
        Coverage coverage = new Coverage(folder, jar("agent-[^/]*-runtime"), jar("cli-[^/]*-nodeps"));
        delete(folder);
        Files.createDirectories(folder);
        return coverage;
    }

    private static Path jar(String name) throws IOException {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*org\\.jacoco\\." + name + "\\.jar"))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .findFirst()
                .orElseThrow(
                        () -> new IOException("JaCoCo is not on the class path of testing's tests: build testing"));
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException thrown) throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        }
    }

    /** The option of a JVM whose code is counted. */
    String jvmOption() {
        return "-javaagent:" + agent + "=append=true,includes=dev.kvstore.*,destfile=" + data();
    }

    private Path data() {
        return folder.resolve("jacoco.exec");
    }

    /**
     * Writes the report of a module: {@code MODULE/index.html}, {@code MODULE.csv} with a line for each class, and
     * {@code MODULE.log} with JaCoCo's output.
     *
     * @param module the folder of a built module
     * @return the covered code; zeros if the module has no code
     * @throws IOException if JaCoCo fails; the message names the file with the reason
     */
    CoveredCode report(Path module) throws IOException, InterruptedException {
        List<Path> classes = classes(module);
        if (classes.isEmpty()) {
            return CoveredCode.NONE;
        }
        String name = module.getFileName().toString();
        Path csv = folder.resolve(name + ".csv");
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                reporter.toString(),
                "report"));
        if (Files.exists(data())) {
            command.add(data().toString());
        }
        classes.forEach(file -> command.addAll(List.of("--classfiles", file.toString())));
        command.addAll(List.of("--sourcefiles", sources(module).toString(), "--name", name));
        command.addAll(List.of("--html", folder.resolve(name).toString(), "--csv", csv.toString()));
        int exitCode = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("no coverage of " + name + ": JaCoCo's exit code is " + exitCode + ", see " + log);
        }
        return CoveredCode.read(csv);
    }

    private static Path sources(Path module) {
        return module.resolve("src/main/java");
    }

    /** The classes of a module that have a source file. */
    private static List<Path> classes(Path module) throws IOException {
        Path folder = module.resolve("target/classes");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(CLASS))
                    .filter(file -> Files.exists(sources(module).resolve(source(folder.relativize(file)))))
                    .sorted()
                    .toList();
        }
    }

    private static String source(Path file) {
        String name = file.toString();
        return name.substring(0, name.length() - CLASS.length()).replaceFirst("\\$.*", "") + ".java";
    }
}
