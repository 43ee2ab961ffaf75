package dev.kvstore.image;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that an image without a base image needs besides Java: the C library and its configuration.
 *
 * @param root the root of a Debian or Ubuntu, or of the unpacked packages libc6 and libgcc-s1
 */
record Glibc(Path root, Architecture architecture) {
    /** The libraries that Java and Netty's native libraries are linked against. */
    private static final List<String> LIBRARIES = List.of(
            "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libgcc_s.so.1");

    /** Texts by places in the image: the user, and the rule that files go before name servers. */
    static final Map<String, String> TEXTS = Map.of(
            "/etc/passwd", "root:x:0:0:root:/:/nologin\nkvstore:x:10001:10001:KV Store:/:/nologin\n",
            "/etc/group", "root:x:0:\nkvstore:x:10001:\n",
            "/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");

    /**
     * The files by their places in the image.
     *
     * @throws LaunchException if a file is missing
     */
    Map<String, Path> files() throws IOException {
        Map<String, Path> files = new TreeMap<>();
        for (String library : LIBRARIES) {
            files.put("/lib/" + architecture.libraries + "/" + library, find(library));
        }
        files.put(
                "/" + architecture.loader,
                find("" + Path.of(architecture.loader).getFileName()));
        return files;
    }

    /**
     * The release of the C library with its distribution's, such as {@code Debian GLIBC 2.36-9+deb12u14}; empty if the
     * library does not contain it.
     */
    String version() throws IOException {
        // The release is a text in the library, which has two megabytes.
        String library = Files.readString(find("libc.so.6"), StandardCharsets.ISO_8859_1);
        Matcher banner = Pattern.compile("GNU C Library \\(([^)]+)\\)").matcher(library);
        return banner.find() ? banner.group(1) : "";
    }

    private Path find(String name) throws IOException {
        return Stream.of("lib/", "usr/lib/")
                .map(folder -> root.resolve(folder + architecture.libraries).resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new LaunchException("there is no " + name + " of " + architecture + " below " + root
                        + ": give --base IMAGE, or --libc " + architecture
                        + "=FOLDER with the unpacked packages libc6 and libgcc-s1 (dpkg -x)"))
                .toRealPath();
    }
}
