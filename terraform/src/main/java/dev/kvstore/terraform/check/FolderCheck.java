package dev.kvstore.terraform.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks one module or example. Thread-safe.
 *
 * @param name of the folder, as {@code modules/region}
 */
record FolderCheck(Workshop workshop, Path checkout, String name) {
    private static final Pattern SUCCESS = Pattern.compile("Success! (\\d+) passed, 0 failed(?:, (\\d+) skipped)?");

    private static final Pattern PROGRESS = Pattern.compile("\\.\\.\\. (in progress|tearing down|pass|skip)$");

    /**
     * The findings of a check.
     *
     * @param summary one line about the checks that passed
     * @param problems the checks that failed, each in Terraform's or our own words
     */
    record FolderFindings(String name, String summary, List<String> problems, boolean skipped) {
        FolderFindings {
            problems = List.copyOf(problems);
        }

        boolean isGood() {
            return problems.isEmpty();
        }
    }

    FolderFindings run() throws IOException, InterruptedException {
        Path source = checkout.resolve("terraform").resolve(name);
        Path folder = workshop.copy().root().resolve("terraform").resolve(name);
        String missing = workshop.withoutKvstore();
        if (missing != null && usesKvstore(folder)) {
            return new FolderFindings(name, "skipped: it uses kvstore, and " + missing, List.of(), true);
        }
        List<String> problems = new ArrayList<>(new FolderLayout(source, name).problems());
        List<String> good = new ArrayList<>();
        String tests = name.startsWith("modules/") ? "tests/unit" : "tests";
        if (did(folder, problems, "fmt", "-check", "-diff", "-recursive", "-no-color")) {
            good.add("formatted");
        }
        // Each of these needs the one before.
        if (did(folder, problems, "init", "-backend=false", "-input=false", "-no-color", "-test-directory=" + tests)
                && did(folder, problems, "validate", "-no-color", "-test-directory=" + tests)) {
            good.add("valid");
            good.add(test(folder, tests, problems));
        }
        return new FolderFindings(name, String.join(", ", good), problems, false);
    }

    private boolean did(Path folder, List<String> problems, String... arguments)
            throws IOException, InterruptedException {
        Terraform.TerraformResult result = workshop.terraform().run(folder, List.of(arguments));
        if (!result.isGood()) {
            problems.add("terraform " + arguments[0] + ": " + result.said().strip()
                    + (arguments[0].equals("fmt") ? "\n(terraform fmt -recursive does it)" : ""));
        }
        return result.isGood();
    }

    private String test(Path folder, String tests, List<String> problems) throws IOException, InterruptedException {
        Terraform.TerraformResult result =
                workshop.terraform().run(folder, List.of("test", "-no-color", "-test-directory=" + tests));
        Matcher success = SUCCESS.matcher(result.said());
        if (!result.isGood() || !success.find()) {
            problems.add("terraform test: "
                    + result.said()
                            .lines()
                            .filter(line -> !PROGRESS.matcher(line).find())
                            .collect(Collectors.joining("\n"))
                            .strip());
            return "tests fail";
        }
        return success.group(1) + " tests";
    }

    private static boolean usesKvstore(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".tf")).toList()) {
                String text = Files.readString(file);
                if (text.contains("kvstore.dev/kvstore/kvstore") || text.contains("/registration\"")) {
                    return true;
                }
            }
        }
        return false;
    }
}
