package dev.kvstore.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class JvmOptionsTest {
    @Test
    void theTestsOfThisProjectRunWithTheSameFlags() throws Exception {
        String pom = Files.readString(Home.current().path().resolve("pom.xml"));
        Matcher property = Pattern.compile("<jvm.netty>(.*)</jvm.netty>").matcher(pom);

        assertThat(property.find()).isTrue();
        String flags = property.group(1).replace("--add-opens ", "--add-opens=");
        assertThat(JvmOptions.common()).containsExactlyInAnyOrder(flags.split(" "));
    }

    @Test
    void aCommandStartsWithThisJavaAndTheCommonFlags() {
        List<String> command = JvmOptions.java(List.of("-Xmx1g"));

        assertThat(command.getFirst()).startsWith(System.getProperty("java.home"));
        assertThat(command).containsAll(JvmOptions.common()).endsWith("-Xmx1g");
    }
}
