package dev.kvstore.testing.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JDK in which Fray controls locks, waits and threads: jlink makes it from the JDK of this JVM with Fray's plug-in.
 * This takes a minute once; the JDK is kept below {@code target} of the checkout.
 */
final class ScheduledJdk {
    private static final String MODULES = "java.se,jdk.unsupported,jdk.management,jdk.zipfs,jdk.jdi,jdk.crypto.ec,"
            + "jdk.naming.dns,jdk.net,jdk.httpserver,jdk.jfr";

    /** Fray's plug-in for jlink, and its libraries. */
    private static final List<String> PLUGIN = List.of(
            "fray-instrumentation-jdk",
            "fray-instrumentation-base",
            "fray-runtime",
            "kotlin-stdlib",
            "kotlin-reflect",
            "asm",
            "asm-tree",
            "asm-commons",
            "asm-util",
            "asm-analysis");

    private static final String AGENT = "agent.jar";
    private static final String NATIVE_AGENT = "libjvmti.so";

    private ScheduledJdk() {}

    /** The command that starts this JDK, without a class path. */
    static List<String> command() throws IOException {
        Path folder = folder();
        return List.of(
                folder.resolve("jdk/bin/java").toString(),
                "-javaagent:" + folder.resolve(AGENT),
                "-agentpath:" + folder.resolve(NATIVE_AGENT));
    }

    private static synchronized Path folder() throws IOException {
        Path parent = Files.createDirectories(home().resolve("target/schedules"));
        Path folder = parent.resolve(
                "fray-" + version() + "-java-" + Runtime.version().toString().replace('+', '_'));
        try (FileChannel channel =
                        FileChannel.open(parent.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!Files.isDirectory(folder)) {
                Path draft = parent.resolve("draft-" + ProcessHandle.current().pid());
                Files.createDirectories(draft);
                writeAgents(draft);
                link(draft.resolve("jdk"));
                Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return folder;
    }

    private static Path home() {
        return Path.of(System.getProperty("kvstore.home", "")).toAbsolutePath();
    }

    private static String version() {
        return jar("fray-core").getFileName().toString().replaceAll("^fray-core-|\\.jar$", "");
    }

    /** A library on the class path of this JVM. */
    private static Path jar(String name) {
        return classPath()
                .filter(entry -> entry.getFileName().toString().matches(name + "-[0-9][^/]*\\.jar"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " is not on the class path"));
    }

    private static Stream<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of);
    }

    private static void writeAgents(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", ScheduleAgent.class.getName());
        try (OutputStream out = Files.newOutputStream(folder.resolve(AGENT));
                JarOutputStream _ = new JarOutputStream(out, manifest)) {
            // The class itself is on the class path.
        }
        try (JarFile jar = new JarFile(jar("fray-jvmti-linux-[a-z0-9]+").toFile());
                InputStream library = jar.getInputStream(jar.getEntry(NATIVE_AGENT))) {
            Files.copy(library, folder.resolve(NATIVE_AGENT));
        }
    }

    private static void link(Path output) throws IOException {
        String plugin =
                PLUGIN.stream().map(name -> jar(name).toString()).collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
                "-J-javaagent:" + jar("fray-instrumentation-jdk"),
                "-J--module-path=" + plugin,
                "-J--add-modules=org.pastalab.fray.instrumentation.jdk",
                "-J--class-path=" + plugin,
                "--output=" + output,
                "--add-modules=" + MODULES,
                "--fray-instrumentation"));
        Process jlink = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var said = jlink.inputReader(UTF_8)) {
            String text = String.join("\n", said.lines().toList());
            if (jlink.waitFor() != 0) {
                throw new IOException("jlink failed: " + text);
            }
        } catch (InterruptedException e) {
            jlink.destroy();
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while jlink runs", e));
        }
    }
}
