package dev.kvstore.benchmark.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.IoReason;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The text that the demo's conversations are about. */
final class Texts {
    // Neither is this repository's own text.
    private static final Set<String> FOREIGN = Set.of("target", "node_modules");

    /** Most text, in bytes: several thousand blocks, tokenised within the demo's heap. */
    static final long MAX_BYTES = 16 << 20;

    private Texts() {}

    /** The repository's own documents: every {@code *.md} below its folder, in the order of their paths. */
    static List<Path> documents(Path home) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(home, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean foreign = FOREIGN.contains(name) || name.startsWith(".");
                return foreign && !folder.equals(home) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(files);
        return files;
    }

    /**
     * The files' contents, one after the other.
     *
     * @throws IllegalArgumentException if a file cannot be read, is no UTF-8, or there is no text at all, or too much
     */
    static String read(List<Path> files) {
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            if (Files.isDirectory(file)) {
                throw new IllegalArgumentException("--text: " + file + " is a folder; name a file");
            }
            try {
                if (text.length() + Files.size(file) > MAX_BYTES) {
                    throw new IllegalArgumentException(
                            "--text: more than " + (MAX_BYTES >> 20) + " MiB with " + file + "; name less");
                }
                text.append(Files.readString(file, UTF_8)).append('\n');
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("--text: " + file + " is not UTF-8", e);
            } catch (NoSuchFileException e) {
                throw new IllegalArgumentException("--text: " + file + ": no such file", e);
            } catch (IOException e) {
                throw new IllegalArgumentException("--text: " + file + " cannot be read: " + IoReason.of(e), e);
            }
        }
        if (text.toString().isBlank()) {
            throw new IllegalArgumentException(
                    "--text: there is no text in " + files + "; name at least one UTF-8 file");
        }
        return text.toString();
    }
}
