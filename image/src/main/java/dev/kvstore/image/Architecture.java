package dev.kvstore.image;

import java.util.Locale;

/** A processor architecture that images are built for. */
enum Architecture {
    AMD64("x86_64-linux-gnu", "lib64/ld-linux-x86-64.so.2"),
    ARM64("aarch64-linux-gnu", "lib/ld-linux-aarch64.so.1");

    private final String libraries;
    private final String loader;

    Architecture(String libraries, String loader) {
        this.libraries = libraries;
        this.loader = loader;
    }

    /** The one that this process runs on. */
    static Architecture host() {
        return System.getProperty("os.arch").equals("aarch64") ? ARM64 : AMD64;
    }

    /** The folder in {@code /lib} where Debian's libraries of it are. */
    String libraries() {
        return libraries;
    }

    /** Where programs expect the loader of shared libraries, below the root. */
    String loader() {
        return loader;
    }

    /** As image registries call it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
