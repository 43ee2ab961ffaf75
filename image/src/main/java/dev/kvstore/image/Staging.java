package dev.kvstore.image;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Java, programs and AOT caches as images hold them, kept below {@code target/image} until program or JDK change. A
 * cache is made by the very Java that the image holds and of the jar with the time that it has there; else Java would
 * refuse it. Making one is no function of program and JDK alone (it holds what was measured while the program ran), so
 * images of one commit have one digest as long as the caches are kept, and on any machine without them.
 */
final class Staging {
    /** Another one for each change of the staged files of the same programs. */
    private static final String FORMAT = "4: jars without foreign parts, a Java for kv node up\n";

    private final Home home;
    private final Path folder;
    private final Path jdk;

    Staging(Home home, Path folder, Path jdk) {
        this.home = home;
        this.folder = folder;
        this.jdk = jdk;
    }

    /** Java of this machine's architecture, and the programs with their caches if those are wanted. */
    Jre prepare(boolean cached) throws IOException, InterruptedException {
        Path jre = folder.resolve("jre");
        Path stamp = folder.resolve("stamp");
        String now = fingerprint();
        boolean kept = Files.exists(stamp) && Files.readString(stamp).equals(now);
        if (!kept) {
            delete(folder);
            Files.createDirectories(folder);
            Jre.link(jdk, jre);
            for (Program program : Program.values()) {
                copy(program);
            }
            Files.writeString(stamp, now);
        }
        for (Program program : Program.values()) {
            if (cached && !Files.exists(Program.cache(program.jar(staged())))) {
                train(jre);
            }
        }
        return new Jre(jre, true);
    }

    /** A home like a checkout, with the programs alone. */
    Home staged() {
        return new Home(folder.resolve("home"));
    }

    /** A file of this text, for a layer. */
    Path text(String name, byte[] content) throws IOException {
        Path file = folder.resolve("texts").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private void copy(Program program) throws IOException {
        Path jar = program.jar(home);
        Path copy = staged().path().resolve(home.path().relativize(jar));
        Files.createDirectories(copy.getParent());
        ProgramJar.copy(jar, copy);
        Files.setLastModifiedTime(copy, FileTime.from(FileTimes.FIXED));
    }

    private void train(Path jre) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(jre.resolve("bin/java").toString()));
        command.addAll(JvmOptions.common());
        command.addAll(List.of(
                "-Dkvstore.home=" + staged().path(),
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                home.path().resolve("benchmark/target/benchmark.jar").toString(),
                "dev.kvstore.benchmark.train.Train"));
        Commands.run("the training run", command);
    }

    private String fingerprint() throws IOException {
        StringBuilder text = new StringBuilder(FORMAT).append(Files.readString(jdk.resolve("release")));
        for (Program program : Program.values()) {
            text.append(sha256(program.jar(home))).append('\n');
        }
        return text.toString();
    }

    static String sha256(Path file) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
