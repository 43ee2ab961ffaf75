package dev.kvstore.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A Maven artifact of a program.
 *
 * @param classifier empty for none
 */
record Artifact(String group, String name, String classifier, String version) {
    /** As {@code mvn dependency:list} writes them: group, name, type, perhaps a classifier, version, scope. */
    private static final Pattern LINE = Pattern.compile(
            "^\\s+([\\w.-]+):([\\w.-]+):jar(?::([\\w.-]+))?:([\\w.+-]+):(?:compile|runtime)\\b", Pattern.MULTILINE);

    /**
     * The artifacts that a module's build found for its run.
     *
     * @param list the file that the build left
     * @throws ImageException if it is missing, or has none
     */
    static List<Artifact> read(Path list) throws IOException {
        try {
            List<Artifact> artifacts = LINE.matcher(Files.readString(list))
                    .results()
                    .map(Artifact::of)
                    .toList();
            if (artifacts.isEmpty()) {
                throw new ImageException(list + " names no artifact: build again");
            }
            return artifacts;
        } catch (NoSuchFileException e) {
            throw new ImageException(list + " is missing: build again, with ./kv or mvn package", e);
        }
    }

    private static Artifact of(MatchResult line) {
        String classifier = line.group(3);
        return new Artifact(line.group(1), line.group(2), classifier == null ? "" : classifier, line.group(4));
    }

    /** A package URL, the name that registries of flaws know it by. */
    String purl() {
        return plainPurl() + (classifier.isEmpty() ? "" : "?classifier=" + classifier);
    }

    /** The package URL without the classifier. */
    String plainPurl() {
        return "pkg:maven/" + group + "/" + name + "@" + version;
    }

    /** The name of its jar in a folder of libraries. */
    String fileName() {
        return name + "-" + version + (classifier.isEmpty() ? "" : "-" + classifier) + ".jar";
    }
}
