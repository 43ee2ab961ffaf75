package dev.kvstore.image;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.DescriptorDigest;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
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
        CommandLine image = CommandLines.of(new ImageCommand())
                .registerConverter(Architecture.class, text -> Architecture.valueOf(text.toUpperCase(Locale.ROOT)))
                .registerConverter(Instant.class, text -> Instant.ofEpochSecond(Long.parseLong(text)));
        System.exit(CommandLines.execute(image, arguments));
    }

    @Override
    public Integer call() throws IOException {
        if (tar == null && push == null && machine == null) {
            throw new ParameterException(
                    spec.commandLine(), "give --tar FOLDER, --push REPOSITORY, --machine FOLDER, or several of them");
        }
        Home home = Home.current();
        Path place = Files.createDirectories(home.target().resolve("image"));
        // The lock gives the staged files to one run at a time.
        try (FileChannel lock = FileChannel.open(place.resolve("lock"), CREATE, WRITE);
                FileLock _ = lock.lock()) {
            build(new Staging(home, place.resolve("staged")));
        }
        return 0;
    }

    private void build(Staging staging) throws IOException {
        List<Jre> jres = new ArrayList<>(List.of(staging.prepare(!withoutCache)));
        for (Map.Entry<Architecture, Path> jdk : jdks.entrySet()) {
            if (jdk.getKey() != Architecture.host()) {
                Path to = staging.folder().resolve("jre-" + jdk.getKey());
                jres.add(Jre.foreign(jdk.getValue(), jdk.getKey(), to));
            }
        }
        jres.sort(Comparator.comparing(Jre::architecture));
        ImageLayers layers = new ImageLayers(staging);
        if (machine != null) {
            pack(Files.createDirectories(machine), layers, jres);
        }
        if (tar == null && push == null) {
            return;
        }
        // This folder survives a change of a program: Jib knows a file by its path and time, which stay the same.
        Path caches = staging.folder().resolve("layers");
        ImageBuilder builder = new ImageBuilder(Optional.ofNullable(base), revision, created, caches, insecure);
        for (ImageKind kind : ImageKind.values()) {
            try {
                build(kind, builder, layers, jres);
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                Throwable cause = e instanceof ExecutionException ? Objects.requireNonNullElse(e.getCause(), e) : e;
                throw new LaunchException("the image " + kind + " cannot be built or pushed: " + cause.getMessage(), e);
            }
        }
    }

    private void pack(Path folder, ImageLayers layers, List<Jre> jres) throws IOException {
        for (Jre jre : jres) {
            byte[] sbom = layers.sbom(List.of(ImageKind.values()), jre)
                    .json("application", "kvstore-machine", Version.text());
            Path file = folder.resolve("kv-" + Version.text() + "-linux-" + jre.architecture() + ".tar.gz");
            new MachineArchive(layers.staging()).write(file, jre, !withoutCache, sbom);
            say(Staging.digest(file) + "  " + file);
        }
    }

    private void build(ImageKind kind, ImageBuilder builder, ImageLayers layers, List<Jre> jres) throws Exception {
        String name = tag == null ? Version.text() : tag;
        Registry registry = push == null ? null : new Registry(push + "/" + kind, name, insecure);
        Map<Architecture, Map<String, Object>> pushed = new EnumMap<>(Architecture.class);
        for (Jre jre : jres) {
            Architecture architecture = jre.architecture();
            boolean cached = !withoutCache && jre.runsHere() && kind.program.isPresent();
            Sbom parts = layers.sbom(List.of(kind), jre);
            List<FileEntriesLayer> all = new ArrayList<>();
            if (base == null) {
                Glibc glibc = glibc(architecture);
                all.add(layers.base(glibc));
                parts.addPart("operating-system", "glibc", glibc.version());
            }
            byte[] sbom = parts.json("container", "kvstore-" + kind, Version.text());
            all.add(layers.java(jre));
            all.addAll(layers.program(kind, cached, sbom));
            if (tar != null) {
                Path file = Files.createDirectories(tar).resolve(kind + "-" + architecture + ".tar");
                Containerizer archive = Containerizer.to(TarImage.at(file).named("kvstore/" + kind + ":" + name));
                DescriptorDigest digest =
                        builder.build(kind, architecture, all, cached, archive).getDigest();
                Files.write(tar.resolve(kind + "-" + architecture + ".cdx.json"), sbom);
                say(digest + "  " + file);
            }
            if (registry != null) {
                Containerizer repository = Containerizer.to(registry.image(architecture));
                Map<String, Object> image = registry.describe(builder.build(kind, architecture, all, cached, repository)
                        .getDigest());
                registry.attach(image, sbom);
                pushed.put(architecture, image);
            }
            if (!withoutCache && !jre.runsHere() && kind.program.isPresent()) {
                spec.commandLine()
                        .getErr()
                        .println("kv image: " + kind + " for " + architecture + " has no AOT cache, which only a"
                                + " machine of that architecture can make; it starts later");
            }
        }
        if (registry != null) {
            say(registry.index(pushed) + "  " + push + "/" + kind + ":" + name);
        }
    }

    private Glibc glibc(Architecture architecture) {
        Path given = libcs.get(architecture);
        if (given == null && architecture != Architecture.host()) {
            throw new LaunchException("--libc: give " + architecture
                    + "=FOLDER with the unpacked packages libc6 and libgcc-s1 of it (dpkg -x), or --base IMAGE");
        }
        return new Glibc(given == null ? Path.of("/") : given, architecture);
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
