package dev.kvstore.image;

import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.hash.Digests;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.file.PathUtils;

/**
 * The Java, programs and AOT caches of images, kept below {@code target/image} until program or JDK change. The image's
 * own Java makes a cache from the jar with its time in the image; else Java would refuse the cache. A cache contains
 * measurements of a run, so two caches of one program differ: images of one commit have one digest as long as the
 * caches are kept, and images without caches have one digest on any machine.
 */
record Staging(Home checkout, Path folder) {
    /** The version of the staged files: a new one for each change of the files of the same programs. */
    private static final String FORMAT = "4: jars without foreign parts, a Java for kv node up\n";

    /** The Java of this machine's architecture, and the programs, with their caches if {@code cached}. */
    Jre prepare(boolean cached) throws IOException {
        Path stamp = folder.resolve("stamp");
        String now = fingerprint();
        if (!Files.exists(stamp) || !Files.readString(stamp).equals(now)) {
            if (Files.exists(folder)) {
                PathUtils.deleteDirectory(folder);
            }
            Jre.link(Files.createDirectories(folder).resolve("jre"));
            for (Program program : Program.values()) {
                copy(program.jar(checkout));
            }
            Files.writeString(stamp, now);
        }
        Jre jre = new Jre(folder.resolve("jre"), Architecture.host());
        for (Program program : Program.values()) {
            if (cached && !Files.exists(Program.cache(program.jar(home())))) {
                train(jre);
            }
        }
        return jre;
    }

    /** A home like a checkout, with only the programs. */
    Home home() {
        return new Home(folder.resolve("home"));
    }

    /** A file with this content, for a layer. */
    Path text(String name, byte[] content) throws IOException {
        Path file = folder.resolve("texts").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private void copy(Path jar) throws IOException {
        Path copy = home().path().resolve(checkout.path().relativize(jar));
        Files.createDirectories(copy.getParent());
        ProgramJar.copy(jar, copy);
        Files.setLastModifiedTime(copy, FileTime.from(FileEntriesLayer.DEFAULT_MODIFICATION_TIME));
    }

    private void train(Jre jre) throws IOException {
        List<String> arguments = new ArrayList<>(JvmOptions.common());
        arguments.addAll(List.of(
                "-Dkvstore.home=" + home().path(),
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                checkout.path().resolve("benchmark/target/benchmark.jar").toString(),
                "dev.kvstore.benchmark.train.Train"));
        jre.run("java", arguments);
    }

    private String fingerprint() throws IOException {
        StringBuilder text = new StringBuilder(FORMAT)
                .append(Files.readString(Jre.own().folder().resolve("release")));
        for (Program program : Program.values()) {
            text.append(digest(program.jar(checkout))).append('\n');
        }
        return text.toString();
    }

    /** The digest of a file in the form of registries, such as {@code sha256:0a1b}. */
    static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Digests.computeDigest(in).getDigest().toString();
        }
    }
}
