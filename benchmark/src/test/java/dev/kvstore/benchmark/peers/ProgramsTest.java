package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of others that a machine has. */
class ProgramsTest {
    @TempDir
    Path folder;

    private void install(String name) throws Exception {
        Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    @Test
    void nothingOfOthersIsNeededForOurOwn() {
        Programs none = Programs.in(folder.toString());

        assertThat(none.missing(ComparedSystem.KVSTORE.programs())).isEmpty();
        assertThat(none.missing(ComparedSystem.TCP.programs())).isEmpty();
        assertThat(none.missing(ComparedSystem.GRPC.programs())).isEmpty();
    }

    @Test
    void namesThePackagesOfWhatIsMissing() throws Exception {
        install("redis-server");
        Programs some = Programs.in(folder.toString());

        assertThat(some.missing(ComparedSystem.LETTUCE.programs())).isEmpty();
        assertThat(PeersReport.MissingPeer.of(ComparedSystem.REDIS, some.missing(ComparedSystem.REDIS.programs())))
                .hasToString("Redis: no redis-benchmark; install redis-tools");
        assertThat(PeersReport.MissingPeer.of(ComparedSystem.NGINX, some.missing(ComparedSystem.NGINX.programs())))
                .hasToString("nginx: no nginx, no wrk; install nginx-light and wrk");
    }

    @Test
    void takesTheFirstThatCanBeRun() throws Exception {
        Path later = Files.createDirectory(folder.resolve("later"));
        Files.createFile(folder.resolve("wrk"));
        Files.createFile(
                later.resolve("wrk"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));

        assertThat(Programs.in(folder + File.pathSeparator + later).path(PeerProgram.WRK))
                .isEqualTo("" + later.resolve("wrk"));
    }

    @Test
    void refusesToRunWhatIsNotThere() {
        assertThatThrownBy(() -> Programs.in("").path(PeerProgram.WRK))
                .isInstanceOf(LaunchException.class)
                .hasMessage("wrk is not installed: it comes with the Debian package wrk");
    }

    @Test
    void aServerOfOthersEndsWhenNobodyHoldsItsInput() throws Exception {
        Process server = new ProcessBuilder(Programs.endingWithThis(List.of("sleep", "1000"))).start();
        try {
            assertThat(server.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();

            server.getOutputStream().close();

            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            server.destroyForcibly();
        }
    }
}
