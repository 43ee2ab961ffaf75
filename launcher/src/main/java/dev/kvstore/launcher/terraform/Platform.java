package dev.kvstore.launcher.terraform;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A kind of machine that Terraform runs on, in the words of Go and Terraform.
 *
 * @param os {@code linux}, {@code darwin} or {@code windows}
 * @param arch {@code amd64} or {@code arm64}
 */
record Platform(String os, String arch) {
    /** All platforms that releases are built for. */
    static final List<Platform> ALL = List.of(
            new Platform("linux", "amd64"),
            new Platform("linux", "arm64"),
            new Platform("darwin", "amd64"),
            new Platform("darwin", "arm64"),
            new Platform("windows", "amd64"),
            new Platform("windows", "arm64"));

    private static final Map<String, String> ARCHITECTURES =
            Map.of("amd64", "amd64", "x86_64", "amd64", "aarch64", "arm64");

    /** Reads a text such as {@code linux_amd64}. */
    static final class Reader implements ITypeConverter<Platform> {
        @Override
        public Platform convert(String text) {
            return ALL.stream()
                    .filter(platform -> platform.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("must be one of "
                            + String.join(
                                    ", ", ALL.stream().map(Platform::toString).toList()) + ", not '" + text + "'"));
        }
    }

    /**
     * The platform with these system properties.
     *
     * @param name {@code os.name}
     * @param arch {@code os.arch}
     */
    static Platform of(String name, String arch) {
        String lower = name.toLowerCase(Locale.ROOT);
        String os = lower.startsWith("windows") ? "windows" : lower.startsWith("mac") ? "darwin" : "linux";
        return new Platform(os, ARCHITECTURES.getOrDefault(arch, arch));
    }

    /** The end of a program's file name. */
    String suffix() {
        return os.equals("windows") ? ".exe" : "";
    }

    @Override
    public String toString() {
        return os + "_" + arch;
    }
}
