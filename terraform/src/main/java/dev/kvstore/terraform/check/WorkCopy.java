package dev.kvstore.terraform.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of all modules and examples, in which Terraform may leave its files. For one thread; different threads may
 * work in different folders of it.
 *
 * @param root holds {@code terraform} and {@code deploy}, as the checkout does
 */
public record WorkCopy(Path root) implements AutoCloseable {
    private static final List<String> COPIED =
            List.of("terraform/modules", "terraform/examples", "terraform/testing", "deploy");
    private static final Pattern TYPE = Pattern.compile("\\bazurerm_[a-z0-9_]+");

    /**
     * Copies the modules and examples of a checkout.
     *
     * @param parent of the copy; made if missing
     */
    public static WorkCopy of(Path checkout, Path parent) throws IOException {
        Path root = Files.createTempDirectory(Files.createDirectories(parent), "work-");
        for (String folder : COPIED) {
            if (Files.isDirectory(checkout.resolve(folder))) {
                copy(checkout.resolve(folder), root.resolve(folder));
            }
        }
        return new WorkCopy(root);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(file -> !file.toString().contains(".terraform"))
                    .toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /** Lets Terraform delete resources that have {@code prevent_destroy}. */
    void removeProtection() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("terraform/modules"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".tf")).toList()) {
                String text = Files.readString(file);
                String open = text.replace("prevent_destroy = true", "prevent_destroy = false");
                if (!open.equals(text)) {
                    Files.writeString(file, open);
                }
            }
        }
    }

    /** Names of all resources and data sources of azurerm that any file of the copy names. */
    public Set<String> types() throws IOException {
        Set<String> types = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root.resolve("terraform"))) {
            for (Path file : files.filter(file -> file.toString().matches(".*\\.(tf|hcl)$"))
                    .toList()) {
                types.addAll(TYPE.matcher(Files.readString(file))
                        .results()
                        .map(MatchResult::group)
                        .toList());
            }
        }
        return types;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(WorkCopy::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
