package dev.kvstore.terraform.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks the parts that a module or an example must have: its files, the required versions, and a page that agrees with
 * its code. For one thread.
 *
 * @param folder of the module or example
 * @param name of the folder, as {@code modules/region}
 */
record FolderLayout(Path folder, String name) {
    private static final List<String> MODULE =
            List.of("terraform.tf", "variables.tf", "locals.tf", "main.tf", "outputs.tf", ReadMe.HEADER);
    private static final List<String> EXAMPLE = List.of("main.tf", "outputs.tf", "README.md");
    private static final Pattern PROVIDER = Pattern.compile("^provider \"", Pattern.MULTILINE);
    private static final String TERRAFORM = "required_version = \">= 1.11, < 2.0\"";
    private static final Pattern AZURERM =
            Pattern.compile("source\\s+= \"hashicorp/azurerm\"\\s+version\\s+= \">= 4.73.0, < 5.0.0\"");

    List<String> problems() throws IOException {
        List<String> problems = new ArrayList<>();
        boolean module = name.startsWith("modules/");
        for (String file : module ? MODULE : EXAMPLE) {
            if (!Files.exists(folder.resolve(file))) {
                problems.add(file + " is missing");
            }
        }
        String text = text();
        if (!text.contains(TERRAFORM)) {
            problems.add("terraform { } must have " + TERRAFORM + ", as all modules do");
        }
        if (text.contains("hashicorp/azurerm") && !AZURERM.matcher(text).find()) {
            problems.add("azurerm must be pinned as >= 4.73.0, < 5.0.0: names of arguments change in 5");
        }
        if (module && PROVIDER.matcher(text).find()) {
            problems.add(
                    "a module has no provider block: it could not be used with count, for_each or a second subscription");
        }
        if (module && problems.isEmpty()) {
            problems.addAll(ReadMe.of(folder).problems());
        }
        return problems;
    }

    private String text() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".tf"))
                    .sorted()
                    .toList()) {
                text.append(Files.readString(file)).append('\n');
            }
        }
        return text.toString();
    }
}
