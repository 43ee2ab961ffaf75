package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Main sources use JDBC by names, and each table of the database has one package that writes it. */
class SqlInSourcesIT {
    private static final List<String> MODULES =
            List.of("admin-api", "account-registry", "cluster-registry", "control-plane");
    private static final Pattern POSITIONAL = Pattern.compile(
            "\\.[gs]et(?:String|Int|Long|Bytes|Boolean|Object|Array|Timestamp|Null|Double|Short)\\(\\s*\\d+\\s*[,)]");
    private static final Pattern TABLE = Pattern.compile("create table (?:if not exists )?(\\w+)");
    private static final Pattern WRITE =
            Pattern.compile("(?:insert into|update|delete from|lock table|@Table\\(name =) \"?(\\w+)");
    private static final Pattern PACKAGE = Pattern.compile("^package dev\\.kvstore\\.([\\w.]+);", Pattern.MULTILINE);

    /**
     * Tables with several writers. An operator declares a process, and a lease makes one. The row of a heartbeat begins
     * with its lease, and heartbeats renew it.
     */
    private static final Map<String, Set<String>> SHARED = Map.of(
            "process", Set.of("clusters.process", "clusters.lease"),
            "heartbeat", Set.of("clusters.lease", "clusters.member"));

    private static List<Path> sources(String folder, String end) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            Path root = Documents.ROOT.resolve(module).resolve("src/main").resolve(folder);
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.filter(file -> file.toString().endsWith(end)).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static Set<String> tables() throws IOException {
        Set<String> tables = new TreeSet<>();
        for (Path migration : sources("resources", ".sql")) {
            TABLE.matcher(Files.readString(migration)).results().forEach(found -> tables.add(found.group(1)));
        }
        return tables;
    }

    @Test
    void noParameterOrColumnIsNamedByItsPosition() throws Exception {
        List<String> positional = new ArrayList<>();
        for (Path source : sources("java", ".java")) {
            POSITIONAL
                    .matcher(Files.readString(source))
                    .results()
                    .forEach(found -> positional.add(source.getFileName() + ": " + found.group()));
        }
        assertThat(positional)
                .as("use Sql's named parameters, and columns by name")
                .isEmpty();
    }

    @Test
    void eachTableIsWrittenByOnePackage() throws Exception {
        Set<String> tables = tables();
        Map<String, Set<String>> writers = new TreeMap<>();
        for (Path source : sources("java", ".java")) {
            String text = Files.readString(source);
            Matcher home = PACKAGE.matcher(text);
            assertThat(home.find()).as(source.toString()).isTrue();
            WRITE.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(tables::contains)
                    .forEach(table ->
                            writers.computeIfAbsent(table, _ -> new TreeSet<>()).add(home.group(1)));
        }
        assertThat(writers.keySet()).as("every table has a writer").isEqualTo(tables);
        writers.values().removeIf(packages -> packages.size() == 1);
        assertThat(writers).isEqualTo(SHARED);
    }
}
