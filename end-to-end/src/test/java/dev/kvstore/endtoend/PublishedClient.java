package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The files that {@code kv publish} makes in a copy of this checkout, in another folder.
 *
 * @param checkout the copy: all that the SDK's jar is built from
 * @param repository the folder into which it was deployed
 */
record PublishedClient(Path checkout, Path repository) {
    /** The SDK, and the modules that its modules' tests depend on, which Maven wants to know. */
    private static final Set<String> WHOLE =
            Set.of("settings", "launcher", "testing", "protocol", "client-java", "client-jar", "bom", ".mvn");

    private static final class SharedCopy {
        private static final PublishedClient COPY = make();

        private static PublishedClient make() {
            try {
                Path target = Home.current().path().resolve("end-to-end/target");
                Path folder = Files.createTempDirectory(target, "published-");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "delete-published"));
                return publish(folder);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** One for all tests of this JVM, made by the first that asks. */
    static PublishedClient shared() {
        return SharedCopy.COPY;
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies this checkout without what was built in it, and publishes from the copy; takes minutes. */
    private static PublishedClient publish(Path folder) throws IOException, InterruptedException {
        Path checkout = Files.createDirectories(folder.resolve("checkout"));
        copy(Home.current().path(), checkout);
        Path repository = folder.resolve("repository");
        List<String> publish = new ArrayList<>(List.of(checkout.resolve("kv").toString(), "publish"));
        if (SigningKey.canBe()) {
            publish.add("--sign");
        }
        publish.add(repository.toString());
        Map<String, String> environment = new HashMap<>(SigningKey.environment());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        String said = GoTool.run(checkout, environment, publish);
        assertThat(said)
                .as("what kv publish said; its log is in %s", checkout.resolve("target"))
                .doesNotContain("exit code")
                .contains("kvstore-client");
        return new PublishedClient(checkout, repository);
    }

    /** Copies a folder of sources, without what was built in it. */
    static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path path = from.relativize(file);
                if (!path.startsWith("target")) {
                    Files.copy(file, to.resolve(path));
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Path path = from.relativize(folder);
                boolean whole = WHOLE.contains(path.getName(0).toString());
                if (folder.endsWith("target") || (!whole && path.getNameCount() > 1)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(path));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path path = from.relativize(file);
                boolean whole = WHOLE.contains(path.getName(0).toString());
                if (whole || path.getNameCount() == 1 || file.endsWith("pom.xml")) {
                    Files.copy(file, to.resolve(path));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    Path jar() throws IOException {
        return file("kvstore-client", "[0-9]\\.jar");
    }

    Path pom(String artifact) throws IOException {
        return file(artifact, "\\.pom");
    }

    /** The file of an artifact whose name ends so. */
    Path file(String artifact, String ending) throws IOException {
        Path folder = repository.resolve("dev/kvstore").resolve(artifact);
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(".*" + ending))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(folder + " has no file *" + ending));
        }
    }

    /** All that was deployed, without checksums, signatures and metadata. */
    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(repository)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().matches(".*\\.(md5|sha\\d+|asc)"))
                    .filter(file -> !file.getFileName().toString().startsWith("maven-metadata"))
                    .toList();
        }
    }

    /** Their names, without versions and the time of a snapshot. */
    List<String> artifacts() throws IOException {
        return files().stream()
                .map(file -> file.getFileName().toString())
                .map(name -> name.replaceFirst("-[0-9]+(\\.[0-9]+)*(-[0-9.]+-[0-9]+)?", ""))
                .sorted()
                .toList();
    }

    /** The names of the files in a jar. */
    static Set<String> entries(Path jar) throws IOException {
        try (var files = FileSystems.newFileSystem(jar)) {
            List<String> names = new ArrayList<>();
            for (Path root : StreamSupport.stream(files.getRootDirectories().spliterator(), false)
                    .toList()) {
                try (Stream<Path> walk = Files.walk(root)) {
                    walk.filter(Files::isRegularFile)
                            .map(file -> root.relativize(file).toString())
                            .forEach(names::add);
                }
            }
            return names.stream().collect(Collectors.toUnmodifiableSet());
        }
    }
}
