package dev.kvstore.terraform.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where modules and examples lie. */
final class Folders {
    private Folders() {}

    /**
     * Names of all modules and examples, as {@code modules/region}, modules first, each kind in the order of names.
     *
     * @param terraform the folder of both
     */
    static List<String> all(Path terraform) throws IOException {
        List<String> all = new ArrayList<>();
        for (String kind : List.of("modules", "examples")) {
            if (Files.isDirectory(terraform.resolve(kind))) {
                try (Stream<Path> found = Files.list(terraform.resolve(kind))) {
                    found.filter(folder -> Files.exists(folder.resolve("main.tf")))
                            .map(folder -> kind + "/" + folder.getFileName())
                            .sorted()
                            .forEach(all::add);
                }
            }
        }
        return all;
    }
}
