package dev.kvstore.image;

import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;

/**
 * The content of {@code /opt/kv} on a virtual machine, as one archive with the folder {@code kv}: a Java, and files at
 * their places in a checkout, where {@code kv} and the units of {@code deploy/machine} look for them. The same files
 * give the same archive.
 *
 * @param staging the programs of images
 */
record MachineArchive(Staging staging) {
    private static final String HOME = "kv/";

    /** @param cached whether to add the programs' AOT caches, which exist only for this machine's Java */
    void write(Path to, Jre jre, boolean cached, byte[] sbom) throws IOException {
        Path checkout = staging.checkout().path();
        Map<String, Path> files = new TreeMap<>(ImageLayers.below(HOME + "jre/", jre.folder(), Integer.MAX_VALUE));
        for (Program program : Program.values()) {
            Path jar = program.jar(staging.home());
            files.put(place(staging.home().path(), jar), jar);
            if (cached && jre.runsHere()) {
                files.put(place(staging.home().path(), Program.cache(jar)), Program.cache(jar));
            }
        }
        for (String name : new String[] {"kv", "LICENSE", "launcher/target/launcher.jar"}) {
            files.put(HOME + name, checkout.resolve(name));
        }
        for (String folder : new String[] {"launcher/target/lib/", ImageLayers.OPTIONS, "deploy/machine/"}) {
            files.putAll(ImageLayers.libraries(HOME + folder, checkout.resolve(folder)));
        }
        files.put(HOME + "sbom.cdx.json", staging.text("sbom.cdx.json", sbom));
        try (TarArchiveOutputStream out =
                new TarArchiveOutputStream(new GzipCompressorOutputStream(Files.newOutputStream(to)), "UTF-8")) {
            out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (Map.Entry<String, Path> file : files.entrySet()) {
                add(out, file.getKey(), file.getValue());
            }
        }
    }

    private static void add(TarArchiveOutputStream out, String place, Path file) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(place);
        entry.setSize(Files.size(file));
        entry.setMode(Files.isExecutable(file) ? 0755 : 0644);
        // A cache is good for one time of jar and Java only.
        entry.setLastModifiedTime(FileTime.from(FileEntriesLayer.DEFAULT_MODIFICATION_TIME));
        out.putArchiveEntry(entry);
        Files.copy(file, out);
        out.closeArchiveEntry();
    }

    private static String place(Path home, Path file) {
        return HOME + home.relativize(file);
    }
}
