package dev.kvstore.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The file system of an image, by layers, the seldom changed ones first. All files of KV Store are in {@code
 * /opt/kvstore}. Maps have files by their places in the image.
 */
record ImageLayers(Staging staging) {
    static final String HOME = "/opt/kvstore/";

    /** The folder of flags for Java in a checkout. */
    static final String OPTIONS = "launcher/src/main/resources/dev/kvstore/launcher/";

    /** The layer with the C library and the user's name, for an image without a base image. */
    FileEntriesLayer base(Glibc glibc) throws IOException {
        Map<String, Path> files = new TreeMap<>(glibc.files());
        for (Map.Entry<String, String> text : Glibc.TEXTS.entrySet()) {
            files.put(
                    text.getKey(),
                    staging.text(text.getKey().substring(1), text.getValue().getBytes(UTF_8)));
        }
        return layer("base", files);
    }

    FileEntriesLayer java(Jre jre) throws IOException {
        return layer("java", below(HOME + "jre/", jre.folder(), Integer.MAX_VALUE));
    }

    /** The layers with the program, its cache if there is one, its flags and its bill of materials. */
    List<FileEntriesLayer> program(ImageKind kind, boolean cached, byte[] sbom) throws IOException {
        List<FileEntriesLayer> layers = new ArrayList<>(List.of(layer("program", jars(kind))));
        Map<String, Path> texts = new TreeMap<>();
        texts.put(HOME + "sbom.cdx.json", staging.text(kind + "/sbom.cdx.json", sbom));
        texts.put(HOME + "jvm.options", options("jvm.options"));
        if (kind.program.isPresent()) {
            texts.put(HOME + kind + ".options", options(kind + ".options"));
        }
        if (cached) {
            Path cache = Program.cache(kind.program.orElseThrow().jar(staging.home()));
            layers.add(layer("cache", Map.of(HOME + cache.getFileName(), cache)));
        }
        layers.add(layer("texts", texts));
        return layers;
    }

    /** The jars of an image. */
    private Map<String, Path> jars(ImageKind kind) throws IOException {
        if (kind.program.isPresent()) {
            Path jar = kind.program.get().jar(staging.home());
            return Map.of(HOME + jar.getFileName(), jar);
        }
        Path built = staging.checkout().path().resolve("launcher/target");
        Map<String, Path> jars = libraries(HOME + "lib/", built.resolve("lib"));
        jars.put(HOME + "launcher.jar", built.resolve("launcher.jar"));
        return jars;
    }

    /** The libraries of a folder, except those that no image has. */
    static Map<String, Path> libraries(String prefix, Path folder) throws IOException {
        Map<String, Path> libraries = below(prefix, folder, 1);
        libraries.values().removeIf(ProgramJar::isLeftOut);
        return libraries;
    }

    /** The bill of materials of some images: their artifacts, and the Java that they share. */
    Sbom sbom(List<ImageKind> kinds, Jre jre) throws IOException {
        Sbom sbom = new Sbom();
        for (ImageKind kind : kinds) {
            sbom.addArtifacts(staging.checkout().path().resolve(kind.module() + "/target/runtime-artifacts.txt"));
        }
        for (ImageKind kind : kinds) {
            for (Path jar : jars(kind).values()) {
                sbom.addJar(jar);
            }
        }
        sbom.addPart("platform", "openjdk-jre", jre.version());
        return sbom;
    }

    private Path options(String name) {
        return staging.checkout().path().resolve(OPTIONS + name);
    }

    /** The command that starts an image. */
    static List<String> entrypoint(ImageKind kind, boolean cached) {
        List<String> command = new ArrayList<>(List.of(HOME + "jre/bin/java", "@" + HOME + "jvm.options"));
        if (kind.program.isEmpty()) {
            command.addAll(List.of("-Xmx128m", "-Dkvstore.home=" + HOME, "-jar", HOME + "launcher.jar", "admin"));
            return command;
        }
        command.add("@" + HOME + kind + ".options");
        if (cached) {
            command.add("-XX:AOTCache=" + HOME + kind + "-runner.aot");
        }
        command.addAll(List.of("-jar", HOME + kind + "-runner.jar"));
        return command;
    }

    /** All files below a folder, by a prefix and their names in the folder; links count as their targets. */
    static Map<String, Path> below(String prefix, Path folder, int depth) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder, depth)) {
            all.filter(file -> Files.isRegularFile(file) || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .forEach(file -> files.put(prefix + folder.relativize(file), file));
        }
        return files;
    }

    /** A layer of files with one time for all, so that the same files are the same layer. */
    static FileEntriesLayer layer(String name, Map<String, Path> files) {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
        files.forEach((place, file) -> layer.addEntry(
                file,
                AbsoluteUnixPath.get(place),
                Files.isExecutable(file) || place.contains("/ld-linux")
                        ? FilePermissions.fromOctalString("755")
                        : FilePermissions.DEFAULT_FILE_PERMISSIONS));
        return layer.build();
    }
}
