package dev.kvstore.image;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import dev.kvstore.image.Manifests.Descriptor;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Launcher;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kv image}: builds the images of control plane, data plane and {@code kv admin}. */
@Command(
        name = "kv image",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Builds the images control-plane, data-plane and admin, without a container engine. Each holds a"
                + " Java of its own, an AOT cache made with it, and a bill of materials; it runs as any user on a"
                + " read-only root. Without --base an image has nothing but that and this machine's C library."
                + " --machine packs the same for virtual machines.")
public final class ImageCommand implements Callable<Integer> {
    @Option(
            names = "--tar",
            paramLabel = "FOLDER",
            description = "Write each image as an OCI archive into this folder.")
    @Nullable
    Path tar;

    @Option(
            names = "--push",
            paramLabel = "REPOSITORY",
            description = "Push to REPOSITORY/control-plane and so on, as one image for all architectures, with"
                    + " credentials of ~/.docker/config.json.")
    @Nullable
    String push;

    @Option(
            names = "--machine",
            paramLabel = "FOLDER",
            description = "Write kv-VERSION-linux-ARCH.tar.gz into this folder: what a virtual machine has in /opt/kv.")
    @Nullable
    Path machine;

    @Option(names = "--tag", description = "Tag (default: the version).")
    @Nullable
    String tag;

    @Option(
            names = "--base",
            paramLabel = "IMAGE",
            description = "Put the images on this one, which has a glibc: name it by digest.")
    @Nullable
    String base;

    @Option(
            names = "--jdk",
            paramLabel = "ARCH=FOLDER",
            description = "Build for another architecture, too: amd64 or arm64, and a JDK (or JRE) of it.")
    Map<Architecture, Path> jdks = new EnumMap<>(Architecture.class);

    @Option(
            names = "--libc",
            paramLabel = "ARCH=FOLDER",
            description = "Root with the C library of an architecture, where there is no --base (default: this"
                    + " machine's; for another: the unpacked Debian packages libc6 and libgcc-s1).")
    Map<Architecture, Path> libcs = new EnumMap<>(Architecture.class);

    @Option(
            names = "--no-aot-cache",
            description = "Leave the AOT caches out: starts take twice as long, and the digest is the same on every"
                    + " machine with the same JDK.")
    boolean withoutCache;

    @Option(names = "--insecure-registry", description = "Push without TLS.")
    boolean insecure;

    @Option(names = "--revision", hidden = true)
    String revision = "unknown";

    @Option(names = "--created", hidden = true)
    Instant created = Instant.EPOCH;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    public static void main(String[] arguments) {
        CommandLine image = Launcher.commandLine(new ImageCommand())
                .registerConverter(
                        Architecture.class, text -> Architecture.valueOf(text.toUpperCase(java.util.Locale.ROOT)))
                .registerConverter(Instant.class, text -> Instant.ofEpochSecond(Long.parseLong(text)))
                .setExecutionExceptionHandler((failure, line, _) -> {
                    line.getErr().println("kv image: " + failure.getMessage());
                    return failure instanceof ImageException || failure instanceof IOException ? 1 : 3;
                });
        System.exit(Launcher.execute(image, arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (tar == null && push == null && machine == null) {
            throw new ParameterException(
                    spec.commandLine(), "give --tar FOLDER, --push REPOSITORY, --machine FOLDER, or several of them");
        }
        Home home = Home.current();
        Path place = Files.createDirectories(home.target().resolve("image"));
        // The staged files belong to one run at a time.
        try (FileChannel lock = FileChannel.open(place.resolve("lock"), CREATE, WRITE);
                FileLock _ = lock.lock()) {
            build(home, place);
        }
        return 0;
    }

    private void build(Home home, Path place) throws IOException, InterruptedException {
        Path jdk = Path.of(System.getProperty("java.home"));
        Staging staging = new Staging(home, place.resolve("staged"), jdk);
        Map<Architecture, Jre> jres = new TreeMap<>();
        jres.put(Architecture.host(), staging.prepare(!withoutCache));
        for (Map.Entry<Architecture, Path> given : jdks.entrySet()) {
            Path to = place.resolve("staged/jre-" + given.getKey());
            jres.computeIfAbsent(given.getKey(), _ -> foreign(given, jdk, to));
        }
        if (machine != null) {
            pack(machine, new ImageLayers(staging, home.path()), new MachineArchive(home, staging.staged()), jres);
        }
        if (tar == null && push == null) {
            return;
        }
        Map<String, String> labels = new TreeMap<>(Map.of(
                "org.opencontainers.image.version",
                Version.text(),
                "org.opencontainers.image.revision",
                revision,
                "org.opencontainers.image.licenses",
                "Apache-2.0",
                "org.opencontainers.image.vendor",
                "KV Store",
                "dev.kvstore.sbom",
                ImageLayers.HOME + "sbom.cdx.json"));
        // Below what is deleted when a program changes: Jib knows a file by its path and time, which stay the same.
        Path layers = place.resolve("staged/layers");
        ImageBuilder builder = new ImageBuilder(Optional.ofNullable(base), created, labels, layers, insecure);
        for (ImageKind kind : ImageKind.values()) {
            build(kind, builder, new ImageLayers(staging, home.path()), jres);
        }
    }

    private void pack(Path folder, ImageLayers layers, MachineArchive archive, Map<Architecture, Jre> jres)
            throws IOException {
        for (Map.Entry<Architecture, Jre> jre : jres.entrySet()) {
            List<Artifact> artifacts = new ArrayList<>();
            List<Path> jars = new ArrayList<>();
            for (ImageKind kind : ImageKind.values()) {
                artifacts.addAll(layers.artifacts(kind));
                jars.addAll(layers.jars(kind));
            }
            byte[] sbom = sbom(artifacts, jars, jre.getValue()).json("application", "kvstore-machine", Version.text());
            Path file = Files.createDirectories(folder)
                    .resolve("kv-" + Version.text() + "-linux-" + jre.getKey() + ".tar.gz");
            archive.write(file, jre.getValue(), !withoutCache, sbom);
            spec.commandLine().getOut().println("sha256:" + Staging.sha256(file) + "  " + file);
        }
        spec.commandLine().getOut().flush();
    }

    private static Jre foreign(Map.Entry<Architecture, Path> given, Path jdk, Path to) {
        try {
            return Jre.foreign(given.getValue(), given.getKey(), jdk, to);
        } catch (IOException e) {
            throw new ImageException("--jdk: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ImageException("interrupted", e);
        }
    }

    private void build(ImageKind kind, ImageBuilder builder, ImageLayers layers, Map<Architecture, Jre> jres)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        String name = tag == null ? Version.text() : tag;
        Registry registry = push == null ? null : new Registry(push + "/" + kind, name, insecure);
        List<Descriptor> pushed = new ArrayList<>();
        for (Map.Entry<Architecture, Jre> jre : jres.entrySet()) {
            Architecture architecture = jre.getKey();
            byte[] sbom = sbom(kind, layers, architecture, jre.getValue());
            boolean cached =
                    !withoutCache && jre.getValue().runsHere() && kind.program().isPresent();
            List<FileEntriesLayer> all = new ArrayList<>();
            if (base == null) {
                all.add(layers.base(root(architecture), architecture));
            }
            all.add(layers.java(jre.getValue()));
            all.addAll(layers.program(kind, jre.getValue(), cached, sbom));
            if (tar != null) {
                Files.createDirectories(tar);
                Path file = tar.resolve(kind + "-" + architecture + ".tar");
                JibContainer built = builder.build(kind, architecture, all, cached, archive(file, kind, name));
                Files.write(tar.resolve(kind + "-" + architecture + ".cdx.json"), sbom);
                out.println(built.getDigest() + "  " + file);
            }
            if (registry != null) {
                JibContainer built = builder.build(
                        kind, architecture, all, cached, Containerizer.to(registry.image("-" + architecture)));
                Descriptor image = registry.describe(built.getDigest(), architecture);
                registry.attach(image, sbom);
                pushed.add(image);
            }
            if (!withoutCache && !jre.getValue().runsHere() && kind.program().isPresent()) {
                spec.commandLine()
                        .getErr()
                        .println(
                                "kv image: " + kind + " for " + architecture
                                        + " has no AOT cache, which only a machine of that architecture can make; it starts later");
            }
        }
        if (registry != null) {
            out.println(registry.index(pushed) + "  " + push + "/" + kind + ":" + name);
        }
        out.flush();
    }

    private Path root(Architecture architecture) {
        Path given = libcs.get(architecture);
        if (given == null && architecture != Architecture.host()) {
            throw new ImageException("--libc: give " + architecture
                    + "=FOLDER with the unpacked packages libc6 and libgcc-s1 of it (dpkg -x), or --base IMAGE");
        }
        return given == null ? Path.of("/") : given;
    }

    private static Containerizer archive(Path file, ImageKind kind, String tag) {
        try {
            return Containerizer.to(TarImage.at(file).named("kvstore/" + kind + ":" + tag))
                    .setOfflineMode(false);
        } catch (InvalidImageReferenceException e) {
            throw new ImageException("--tag: " + tag + " is no tag of an image", e);
        }
    }

    private byte[] sbom(ImageKind kind, ImageLayers layers, Architecture architecture, Jre jre) throws IOException {
        Sbom sbom = sbom(layers.artifacts(kind), layers.jars(kind), jre);
        if (base == null) {
            sbom.add("operating-system", "glibc", Glibc.version(root(architecture), architecture));
        }
        return sbom.json("container", "kvstore-" + kind, Version.text());
    }

    private static Sbom sbom(List<Artifact> artifacts, Collection<Path> jars, Jre jre) throws IOException {
        Sbom sbom = new Sbom(artifacts);
        for (Path jar : jars) {
            sbom.add(jar);
        }
        sbom.add("platform", "openjdk-jre", jre.release("JAVA_VERSION"));
        return sbom;
    }
}
