package dev.kvstore.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import dev.kvstore.launcher.Launcher;
import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The file system of an image, by layers: what changes seldom comes first. Everything of ours is in
 * {@code /opt/kvstore}.
 */
final class ImageLayers {
    static final String HOME = "/opt/kvstore/";

    private static final FilePermissions FILE = FilePermissions.fromOctalString("644");
    private static final FilePermissions PROGRAM = FilePermissions.fromOctalString("755");

    private final Staging staging;
    private final Path checkout;

    ImageLayers(Staging staging, Path checkout) {
        this.staging = staging;
        this.checkout = checkout;
    }

    /** The C library and the user's name, for an image without a base image. */
    FileEntriesLayer base(Path root, Architecture architecture) throws IOException {
        Map<String, Path> files = new TreeMap<>(Glibc.files(root, architecture));
        for (Map.Entry<String, String> text : Glibc.texts().entrySet()) {
            files.put(
                    text.getKey(),
                    staging.text(text.getKey().substring(1), text.getValue().getBytes(UTF_8)));
        }
        return layer("base", files);
    }

    FileEntriesLayer java(Jre jre) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        for (Path file : FileTimes.files(jre.folder())) {
            files.put(HOME + "jre/" + jre.folder().relativize(file), file);
        }
        return layer("java", files);
    }

    /** The program, its cache if there is one, its flags and its bill of materials. */
    List<FileEntriesLayer> program(ImageKind kind, Jre jre, boolean cached, byte[] sbom) throws IOException {
        List<FileEntriesLayer> layers = new ArrayList<>();
        Map<String, Path> texts = new TreeMap<>();
        texts.put(HOME + "sbom.cdx.json", staging.text(kind + "/sbom.cdx.json", sbom));
        texts.put(HOME + "jvm.options", options("jvm.options"));
        Map<String, Path> jars = new TreeMap<>();
        for (Path jar : jars(kind)) {
            jars.put(HOME + name(jar), jar);
        }
        if (kind.program().isPresent()) {
            Path jar = kind.program().get().jar(staging.staged());
            texts.put(HOME + kind + ".options", options(kind + ".options"));
            if (cached && jre.runsHere()) {
                Path cache = Program.cache(jar);
                layers.add(layer("cache", Map.of(HOME + cache.getFileName(), cache)));
            }
        }
        layers.addFirst(layer("program", jars));
        layers.add(layer("texts", texts));
        return layers;
    }

    /** The jars of an image; the first one is started. */
    Collection<Path> jars(ImageKind kind) throws IOException {
        if (kind.program().isPresent()) {
            return List.of(kind.program().get().jar(staging.staged()));
        }
        List<Path> jars = new ArrayList<>(List.of(built().resolve("launcher.jar")));
        FileTimes.files(built().resolve("lib")).stream()
                .filter(library -> !ProgramJar.isLeftOut(library))
                .forEach(jars::add);
        return jars;
    }

    /** The artifacts that an image holds, as the build of its program found them. */
    List<Artifact> artifacts(ImageKind kind) throws IOException {
        return Artifact.read(checkout.resolve(kind.module() + "/target/runtime-artifacts.txt")).stream()
                .filter(artifact -> !ProgramJar.isLeftOut(artifact))
                .toList();
    }

    private Path built() {
        return checkout.resolve("launcher/target");
    }

    private String name(Path jar) {
        return jar.startsWith(built()) ? built().relativize(jar).toString() : String.valueOf(jar.getFileName());
    }

    private Path options(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Launcher.class.getResourceAsStream(name), name)) {
            return staging.text(name, in.readAllBytes());
        }
    }

    /** The command that starts an image. */
    static List<String> entrypoint(ImageKind kind, boolean cached) {
        List<String> command = new ArrayList<>(List.of(HOME + "jre/bin/java", "@" + HOME + "jvm.options"));
        if (kind.program().isEmpty()) {
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

    private static FileEntriesLayer layer(String name, Map<String, Path> files) {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
        files.forEach((place, file) -> layer.addEntry(
                file,
                AbsoluteUnixPath.get(place),
                Files.isExecutable(file) || place.contains("/ld-linux") ? PROGRAM : FILE,
                FileTimes.FIXED));
        return layer.build();
    }
}
