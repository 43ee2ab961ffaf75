package dev.kvstore.testing;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The part of a document that is generated from code: the text between {@code <!-- generated: NAME -->} and {@code <!--
 * end: NAME -->}. With the system property {@code docs.write} the section is rewritten.
 */
public record GeneratedSection(String document, String name) {
    /** Whether the section has this text, perhaps after a rewrite; the document's path is relative to the checkout. */
    public boolean is(String text) throws IOException {
        Path path = Home.current().path().resolve(document);
        String content = Files.readString(path);
        String begin = "<!-- generated: " + name + " -->\n";
        int from = content.indexOf(begin) + begin.length();
        int until = content.indexOf("<!-- end: " + name + " -->");
        if (from < begin.length() || until < from) {
            throw new IOException(document + " has no section " + name);
        }
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(path, content.substring(0, from) + text + content.substring(until));
            return true;
        }
        return content.substring(from, until).equals(text);
    }
}
