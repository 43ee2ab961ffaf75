package dev.kvstore.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The style and the script, the same in each page. */
record Assets(String style, String script) {
    /** Chart.js; its path has its version. */
    static final String LIBRARY = read("/META-INF/maven/org.webjars.npm/chart.js/pom.properties")
            .replaceFirst("(?s).*version=(\\S+).*", "/META-INF/resources/webjars/chart.js/$1/dist/chart.umd.min.js");

    private static final List<String> SCRIPTS = List.of("series.js", "lines.js", "bars.js", "chart.js", "page.js");

    static Assets bundled() {
        return new Assets(
                read("page.css") + read("chart.css"),
                read(LIBRARY)
                        + SCRIPTS.stream()
                                .map(Assets::read)
                                .collect(Collectors.joining("\n", "\n(function () {\n'use strict';\n", "})();\n")));
    }

    /** The content security policy of a page: it may load and run nothing but these two. */
    String policy() {
        return "default-src 'none'; img-src data:; style-src 'sha256-" + sha256(style) + "'; script-src 'sha256-"
                + sha256(script) + "'; base-uri 'none'; form-action 'none'";
    }

    static String read(String name) {
        try (InputStream file = Objects.requireNonNull(Assets.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha256(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            // Every JDK has it.
            throw new IllegalStateException(e);
        }
    }
}
