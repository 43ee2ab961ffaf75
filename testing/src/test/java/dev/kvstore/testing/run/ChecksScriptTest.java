package dev.kvstore.testing.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bash half of {@code kv check}, over a checkout of three modules: one uses another, one stands alone. */
class ChecksScriptTest {
    private record ChecksResult(int exitCode, String out, String err) {}

    @TempDir
    Path folder;

    private Path checkout;

    @BeforeEach
    void makeACheckout() throws IOException {
        checkout = Files.createDirectory(folder.resolve("checkout"));
        Path home = Path.of(System.getProperty("kvstore.home", ".."));
        Files.copy(home.resolve("kv"), checkout.resolve("kv"));
        write("testing/src/main/shell/checks.sh", Files.readString(home.resolve("testing/src/main/shell/checks.sh")));
        write("pom.xml", "  <module>used</module>\n  <module>using</module>\n  <module>alone</module>\n");
        write(".mvn/jvm.config", "");
        write("used/pom.xml", "");
        write("using/pom.xml", "<artifactId>used</artifactId>");
        write("alone/pom.xml", "");
        for (String module : new String[] {"used", "using", "alone"}) {
            write(module + "/src/main/java/Source.java", "class Source {}");
        }
    }

    @Test
    void aChangedModuleTakesAlongThoseThatUseIt() throws Exception {
        assertThat(bash("with_dependents used").out().lines()).containsExactly("used", "using");
        assertThat(bash("with_dependents using").out().lines()).containsExactly("using");
        assertThat(bash("with_dependents").out()).isEmpty();
    }

    @Test
    void aModuleIsCheckedUntilAFileOfItChanges() throws Exception {
        markChecked("used");
        assertThat(isChecked("used")).isTrue();

        write("used/src/main/java/Source.java", "class Source { int changed; }");
        assertThat(isChecked("used")).isFalse();
    }

    @Test
    void aModuleIsCheckedUntilAFileOfItHasAnotherName() throws Exception {
        markChecked("used");

        Files.move(
                checkout.resolve("used/src/main/java/Source.java"), checkout.resolve("used/src/main/java/Other.java"));
        assertThat(isChecked("used")).isFalse();
    }

    @Test
    void aModuleIsCheckedWhateverHappensToOthers() throws Exception {
        markChecked("used");

        write("alone/src/main/java/Source.java", "class Source { int changed; }");
        assertThat(isChecked("used")).isTrue();
    }

    @Test
    void aModuleThatIsNotThereIsRefusedWithThoseThatAre() throws Exception {
        ChecksResult result = bash("run_check uesd");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("there is no module \"uesd\"; the modules are used using alone.");
    }

    @ParameterizedTest
    @CsvSource({
        "run_tests --ful, 'kv test takes --full, --coverage, --only CLASS, --slots N and names of modules, not --ful.'",
        "run_tests --full --only, '--only needs a value.'",
        "run_check --full, 'kv check takes --all and names of modules, not --full.'"
    })
    void aFlagThatIsNotThereIsRefusedWithThoseThatAre(String command, String message) throws Exception {
        ChecksResult result = bash(command);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("kv: " + message + "\n");
    }

    @Test
    void aNewCheckoutIsBuiltWithoutGates() throws Exception {
        assertThat(mavenArgumentsOfABuild()).contains(" -Dquick ", " -Dmaven.test.skip ");
        assertThat(checkout.resolve("target/quick")).exists();
    }

    @Test
    void aCheckoutThatWasCheckedIsBuiltWithGates() throws Exception {
        write("target/kv.stamp", "");

        assertThat(mavenArgumentsOfABuild()).doesNotContain("-Dquick").contains(" -Dmaven.test.skip ");
    }

    @Test
    void classesOfABuildWithoutGatesAreCompiledAgain() throws Exception {
        write("used/target/classes/Source.class", "");
        write("target/quick", "");

        bash("forget_quick_build");
        assertThat(checkout.resolve("used/target/classes")).doesNotExist();
        assertThat(checkout.resolve("target/quick")).doesNotExist();
    }

    @Test
    void classesOfABuildWithGatesStay() throws Exception {
        write("used/target/classes/Source.class", "");

        bash("forget_quick_build");
        assertThat(checkout.resolve("used/target/classes/Source.class")).exists();
    }

    /** The arguments that {@code build} gives Maven, which here only writes them down. */
    private String mavenArgumentsOfABuild() throws Exception {
        write("bin/mvn", "#!/bin/sh\necho \" $* \" >'" + folder + "/arguments'\nexit 1\n");
        assertThat(checkout.resolve("bin/mvn").toFile().setExecutable(true)).isTrue();
        write("target/none", "");

        bash("PATH=\"$root/bin:$PATH\" JAVA_HOME=none; build");
        return Files.readString(folder.resolve("arguments"));
    }

    private void markChecked(String module) throws Exception {
        assertThat(bash("mkdir -p \"$root/$checked\"; fingerprint " + module + " >\"$root/$checked/" + module + "\"")
                        .exitCode())
                .isZero();
    }

    private boolean isChecked(String module) throws Exception {
        String out = bash("if is_checked " + module + "; then echo yes; else echo no; fi")
                .out();
        assertThat(out).isIn("yes\n", "no\n");
        return out.equals("yes\n");
    }

    private ChecksResult bash(String commands) throws Exception {
        Path err = folder.resolve("stderr");
        Process process = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source '" + checkout + "/kv'; source \"$root/testing/src/main/shell/checks.sh\"; " + commands)
                .directory(folder.toFile())
                .redirectError(err.toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new ChecksResult(process.waitFor(), out, Files.readString(err));
    }

    private void write(String file, String text) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
