package dev.kvstore.image;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;

/**
 * The content of {@code /opt/kv} on a virtual machine, as one archive with the folder {@code kv}: files at their places
 * of a checkout, where {@code kv} and the units of {@code deploy/machine} look for them, and a Java. The same files give
 * the same archive.
 *
 * @param checkout with what a build made
 * @param staged the programs as images have them
 */
record MachineArchive(Home checkout, Home staged) {
    private static final String OPTIONS = "launcher/src/main/resources/dev/kvstore/launcher";
    private static final int PROGRAM = 0755;
    private static final int FILE = 0644;

    /** @param cached whether the programs' AOT caches are wanted; only those of this machine's Java are there */
    void write(Path to, Jre jre, boolean cached, byte[] sbom) throws IOException {
        try (TarArchiveOutputStream out =
                new TarArchiveOutputStream(new GzipCompressorOutputStream(Files.newOutputStream(to)), "UTF-8")) {
            out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (Map.Entry<String, Path> file :
                    files(jre, cached && jre.runsHere()).entrySet()) {
                begin(out, file.getKey(), Files.size(file.getValue()), Files.isExecutable(file.getValue()));
                Files.copy(file.getValue(), out);
                out.closeArchiveEntry();
            }
            begin(out, "sbom.cdx.json", sbom.length, false);
            out.write(sbom);
            out.closeArchiveEntry();
        }
    }

    private static void begin(TarArchiveOutputStream out, String name, long size, boolean program) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry("kv/" + name);
        entry.setSize(size);
        entry.setMode(program ? PROGRAM : FILE);
        // A cache is good for one time of jar and Java only.
        entry.setLastModifiedTime(FileTime.from(FileTimes.FIXED));
        out.putArchiveEntry(entry);
    }

    /** The files by their places below {@code /opt/kv}. */
    private Map<String, Path> files(Jre jre, boolean cached) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        add(files, "jre", jre.folder(), FileTimes.files(jre.folder()).stream());
        for (Program program : Program.values()) {
            Path jar = program.jar(staged);
            add(files, "", staged.path(), Stream.of(jar));
            if (cached) {
                add(files, "", staged.path(), Stream.of(Program.cache(jar)));
            }
        }
        Path home = checkout.path();
        add(
                files,
                "",
                home,
                Stream.of("kv", "LICENSE", "launcher/target/launcher.jar").map(home::resolve));
        for (String folder : new String[] {"launcher/target/lib", OPTIONS, "deploy/machine"}) {
            try (Stream<Path> all = Files.list(home.resolve(folder))) {
                add(files, "", home, all.filter(file -> Files.isRegularFile(file) && !ProgramJar.isLeftOut(file)));
            }
        }
        return files;
    }

    private static void add(Map<String, Path> files, String place, Path folder, Stream<Path> added) {
        added.forEach(file -> files.put(
                (place.isEmpty() ? "" : place + "/") + folder.relativize(file).toString(), file));
    }
}
