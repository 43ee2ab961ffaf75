package dev.kvstore.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.settings.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bash half of the launcher, over folders that look like JDKs and like a checkout. */
class KvScriptTest {
    private record ScriptResult(int exitCode, String out, String err) {}

    @TempDir
    Path folder;

    private Path kv;

    @BeforeEach
    void findTheScript() {
        kv = Home.current().path().resolve("kv");
    }

    @Test
    void explainsItselfWithoutAVerb() throws Exception {
        ScriptResult result = run(Map.of(), kv.toString());

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("Usage: kv VERB", "demo", "up", "admin", "node", "control-plane", "test");
    }

    @Test
    void refusesAnUnknownVerb() throws Exception {
        ScriptResult result = run(Map.of(), kv.toString(), "dmeo");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("\"dmeo\"", "demo, doctor, help, image, node, publish, terraform, test, top, train, up");
    }

    @Test
    void saysTheVersionThatItsProgramsSay() throws Exception {
        ScriptResult result = run(Map.of(), kv.toString(), "--version");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out().lines()).containsExactly(new Version().getVersion());
    }

    @Test
    void explainsAVerbAsTheVerbDoes() throws Exception {
        ScriptResult result = run(Map.of(), kv.toString(), "help", "test");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .isEqualTo(run(Map.of(), kv.toString(), "test", "--help").out());
        assertThat(result.out()).startsWith("Usage: kv test");
    }

    @Test
    void refusesToExplainAnUnknownVerb() throws Exception {
        ScriptResult result = run(Map.of(), kv.toString(), "help", "dmeo");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("\"dmeo\"");
    }

    @ParameterizedTest
    @CsvSource({"v20.0.0, 0", "v24.11.1, 0", "v19.9.0, 2", "v8.17.0, 2", "'', 2"})
    void wantsNode20OrNewerForTheTests(String version, int exitCode) throws Exception {
        Path node = Files.writeString(folder.resolve("node"), "#!/bin/sh\necho " + version + "\n");
        assertThat(node.toFile().setExecutable(true)).isTrue();

        ScriptResult result = run(
                Map.of("PATH", folder + ":" + System.getenv("PATH")),
                "bash",
                "-c",
                "source '" + kv + "'; need_node 'the tests run on it'");

        assertThat(result.exitCode()).isEqualTo(exitCode);
        if (exitCode != 0) {
            assertThat(result.err().lines()).singleElement().asString().contains(version, "Node.js 20 or newer");
        }
    }

    @Test
    void knowsItsCheckoutThroughSymbolicLinks() throws Exception {
        buildFakeCheckout();
        Files.createSymbolicLink(folder.resolve("link"), Path.of("checkout/kv"));
        Path linkToLink = Files.createSymbolicLink(folder.resolve("kv"), folder.resolve("link"));

        ScriptResult result = run(Map.of(), "bash", "-c", "source '" + linkToLink + "'; echo $root");

        assertThat(result.out()).isEqualTo(folder.resolve("checkout").toRealPath() + "\n");
    }

    @Test
    void takesTheJavaThatAMachineHasBesideIt() throws Exception {
        buildFakeCheckout();
        Path own = Files.createDirectories(folder.resolve("checkout/jre/bin")).resolve("java");
        Files.writeString(own, "#!/bin/sh\n");
        assertThat(own.toFile().setExecutable(true)).isTrue();

        ScriptResult result = run(
                Map.of("JAVA_HOME", jdk("home", "25.0.1").toString()),
                "bash",
                "-c",
                "source '" + folder.resolve("checkout/kv") + "'; prepare kv; echo $JAVA_HOME");

        assertThat(result.err()).as("nothing is built").isEmpty();
        assertThat(result.out()).isEqualTo(folder.resolve("checkout/jre").toRealPath() + "\n");
    }

    @Test
    void takesJavaHomeWhenItIsNewEnough() throws Exception {
        Path chosen = jdk("home", "25.0.1");
        Path onPath = jdk("path", "26");

        assertThat(findJdk(chosen, onPath, "").out()).isEqualTo(chosen + "\n");
    }

    @Test
    void takesTheJavaOnThePathWhenJavaHomeIsTooOld() throws Exception {
        Path old = jdk("home", "17.0.15");
        Path onPath = jdk("path", "25");
        jdk("places/newer", "27");

        assertThat(findJdk(old, onPath, folder + "/places/*").out()).isEqualTo(onPath + "\n");
    }

    @Test
    void takesTheNewestOfTheUsualPlaces() throws Exception {
        Path old = jdk("path", "17.0.15");
        jdk("places/a", "25.0.10");
        Path newest = jdk("places/b with space", "26.0.2");
        jdk("more/c", "9.0.4");

        assertThat(findJdk(null, old, folder + "/places/*:" + folder + "/more/*")
                        .out())
                .isEqualTo(newest + "\n");
    }

    @Test
    void ranksUpdatesAsNumbers() throws Exception {
        jdk("places/a", "25.0.9");
        Path newest = jdk("places/b", "25.0.10");

        assertThat(findJdk(null, jdk("path", "21"), folder + "/places/*").out()).isEqualTo(newest + "\n");
    }

    @Test
    void takesNoRuntimeWithoutACompiler() throws Exception {
        Path runtime = jdk("places/jre", "25.0.1");
        Files.delete(runtime.resolve("bin/javac"));

        assertThat(findJdk(null, jdk("path", "21"), folder + "/places/*").exitCode())
                .isEqualTo(2);
    }

    @Test
    void saysWhatIsMissingWhenThereIsNoJdk() throws Exception {
        ScriptResult result = findJdk(jdk("home", "21.0.2"), jdk("path", "17"), folder + "/nowhere/*");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("no JDK 25 or newer", "JAVA_HOME");
    }

    @Test
    void isStaleWithoutAStamp() throws Exception {
        buildFakeCheckout();
        Files.delete(folder.resolve("checkout/target/kv.stamp"));

        assertThat(isStale()).isTrue();
    }

    @Test
    void isFreshAfterABuild() throws Exception {
        buildFakeCheckout();

        assertThat(isStale()).isFalse();
    }

    @Test
    void isStaleAfterAChangedSource() throws Exception {
        Path source = buildFakeCheckout();
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));

        assertThat(isStale()).isTrue();
    }

    @Test
    void isStaleAfterADeletedSource() throws Exception {
        Path source = buildFakeCheckout();
        Files.delete(source);
        Files.setLastModifiedTime(
                source.getParent(), FileTime.from(Instant.now().plusSeconds(5)));

        assertThat(isStale()).isTrue();
    }

    @Test
    void isStaleWithAnotherJdk() throws Exception {
        buildFakeCheckout();
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.2\"\n");

        assertThat(isStale()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"launcher/target/launcher.jar", "control-plane/target/control-plane-runner.jar"})
    void isStaleWhenABuiltPartIsMissing(String part) throws Exception {
        buildFakeCheckout();
        Files.delete(folder.resolve("checkout").resolve(part));

        assertThat(isStale()).isTrue();
    }

    @Test
    void runsWhatIsBuiltWhenToldNotToBuild() throws Exception {
        Path source = buildFakeCheckout();
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));

        ScriptResult result = run(
                Map.of("JAVA_HOME", folder.resolve("jdk").toString(), "KV_SKIP_BUILD", "1"),
                "bash",
                "-c",
                "source '" + folder.resolve("checkout/kv") + "'; build() { echo built; }; build_when_stale");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).isEmpty();
    }

    @Test
    void saysThatNothingIsBuiltWhenToldNotToBuild() throws Exception {
        buildFakeCheckout();
        Files.delete(folder.resolve("checkout/launcher/target/launcher.jar"));

        ScriptResult result = run(
                Map.of("JAVA_HOME", folder.resolve("jdk").toString(), "KV_SKIP_BUILD", "1"),
                folder.resolve("checkout/kv").toString(),
                "up");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("kv: not built; run without KV_SKIP_BUILD\n");
    }

    @Test
    void worksWithoutAnAotCacheWhereNoneCanBeMadeAndSaysSo() throws Exception {
        buildFakeCheckout();
        // The fake java says yes to everything but this.
        Path java = folder.resolve("jdk/bin/java");
        Files.writeString(java, "#!/bin/sh\necho no memory; exit 1\n");

        ScriptResult result = run(
                Map.of("JAVA_HOME", folder.resolve("jdk").toString()),
                "bash",
                "-c",
                "source '" + folder.resolve("checkout/kv") + "'; find_jdk; train; echo goes on");

        assertThat(result.out()).isEqualTo("goes on\n");
        assertThat(result.err()).contains("there is no AOT cache", "train.log");
        assertThat(folder.resolve("checkout/target/train.log")).hasContent("no memory");
    }

    @ParameterizedTest
    @CsvSource({"0, true", "5, false", "-5, false"})
    void startsFromAnAotCacheThatHasTheFileTimeOfTheProgram(int seconds, boolean used) throws Exception {
        buildFakeCheckout();
        Path jar = folder.resolve("checkout/data-plane/target/data-plane-runner.jar");
        Path cache = Files.writeString(jar.resolveSibling("data-plane-runner.aot"), "");
        Files.setLastModifiedTime(
                cache, FileTime.from(Files.getLastModifiedTime(jar).toInstant().plusSeconds(seconds)));
        Files.writeString(folder.resolve("jdk/bin/java"), "#!/bin/sh\necho \"$@\"\n");

        ScriptResult result = run(
                Map.of("JAVA_HOME", folder.resolve("jdk").toString()),
                folder.resolve("checkout/kv").toString(),
                "node",
                "--port",
                "8085");

        assertThat(result.out()).contains("data-plane.options").endsWith("-jar " + jar + " --port 8085\n");
        assertThat(result.out().contains("-XX:AOTCache=" + cache)).isEqualTo(used);
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 1"})
    void publishNamesEachModuleAsItsBuildBeginsAndFailsWithMaven(String end, int exitCode) throws Exception {
        Path checkout = folder.resolve("checkout");
        Files.createDirectories(checkout);
        String shell = kv.resolveSibling("testing/src/main/shell/checks.sh") + "'; source '"
                + kv.resolveSibling("client-jar/src/main/shell/publish.sh");

        ScriptResult result = run(
                Map.of(),
                "bash",
                "-c",
                "source '" + kv + "'; source '" + shell + "'; root='" + checkout
                        + "'; find_jdk() { :; }; need() { :; };"
                        + " version() { echo 1; }; mvn() { echo '[INFO] Building KV Store: protocol 0.2.0    [2/5]';"
                        + " echo '[ERROR] a gate'; " + end + "; }; run_publish '" + folder.resolve("repository") + "'");

        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(result.out()).contains("\n  2/5 KV Store: protocol 0.2.0\n");
        assertThat(result.err().contains("a gate or the build failed")).isEqualTo(exitCode == 1);
        assertThat(checkout.resolve("target/gates.log")).content().contains("[ERROR] a gate");
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        for (String program : new String[] {"java", "javac"}) {
            Path file = Files.writeString(home.resolve("bin").resolve(program), "#!/bin/sh\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private ScriptResult findJdk(@Nullable Path javaHome, Path onPath, String places) throws Exception {
        return run(
                Map.of(
                        "JAVA_HOME",
                        javaHome == null ? "" : javaHome.toString(),
                        "PATH",
                        onPath.resolve("bin") + ":" + System.getenv("PATH"),
                        "KV_JDK_PLACES",
                        places),
                "bash",
                "-c",
                "source '" + kv + "'; find_jdk; echo $JAVA_HOME");
    }

    /** Returns a source file. */
    private Path buildFakeCheckout() throws IOException {
        Path jdk = jdk("jdk", "25.0.1");
        Path checkout = folder.resolve("checkout");
        for (String built : new String[] {
            "launcher/target/launcher.jar",
            "benchmark/target/benchmark.jar",
            "data-plane/target/data-plane-runner.jar",
            "control-plane/target/control-plane-runner.jar",
            "image/target/image.jar",
            "simulation/target/simulation.jar",
            "doctor/target/doctor.jar",
            "launcher/pom.xml",
            "pom.xml",
            ".mvn/jvm.config",
            "launcher/src/main/java/Source.java"
        }) {
            Path file = checkout.resolve(built);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
        }
        Files.createDirectories(checkout.resolve("target"));
        Files.copy(kv, checkout.resolve("kv"));
        Path stamp = Files.writeString(checkout.resolve("target/kv.stamp"), jdk + " 25.0.1\n");
        Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().plusSeconds(1)));
        return checkout.resolve("launcher/src/main/java/Source.java");
    }

    private boolean isStale() throws Exception {
        ScriptResult result = run(
                Map.of("JAVA_HOME", folder.resolve("jdk").toString()),
                "bash",
                "-c",
                "source '" + folder.resolve("checkout/kv") + "'; if is_stale; then echo stale; else echo fresh; fi");
        assertThat(result.out()).isIn("stale\n", "fresh\n");
        return result.out().equals("stale\n");
    }

    private ScriptResult run(Map<String, String> environment, String... command) throws Exception {
        Path err = folder.resolve("stderr");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new ScriptResult(process.waitFor(), out, Files.readString(err));
    }
}
