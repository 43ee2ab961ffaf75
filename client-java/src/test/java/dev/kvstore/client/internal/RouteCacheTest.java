package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RouteCacheTest {
    private static final Route ROUTE = Route.newBuilder().setVersion("7").build();
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private Instant now = START;

    @Test
    void whatWasKeptIsLoaded() {
        cache("demo", "west").save(ROUTE);
        assertThat(cache("demo", "west").load()).isEqualTo(ROUTE);
    }

    @Test
    void anotherResourceOrRegionHasItsOwn() {
        cache("demo", "west").save(ROUTE);
        assertThat(cache("other", "west").load()).isNull();
        assertThat(cache("demo", "east").load()).isNull();
    }

    @Test
    void aDayIsNotTooOldAndATickMoreIs() {
        cache("demo", "west").save(ROUTE);
        now = START.plus(RouteCache.MOST_AGE);
        assertThat(cache("demo", "west").load()).isEqualTo(ROUTE);
        now = now.plusMillis(1);
        assertThat(cache("demo", "west").load()).isNull();
    }

    @Test
    void aRouteThatStaysTheSameIsConfirmedFromTimeToTime() throws IOException {
        RouteCache cache = cache("demo", "west");
        cache.save(ROUTE);
        byte[] before = Files.readAllBytes(file());
        now = START.plus(RouteCache.CONFIRM).minusMillis(1);
        cache.save(ROUTE);
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
        now = START.plus(RouteCache.CONFIRM);
        cache.save(ROUTE);
        assertThat(Files.readAllBytes(file())).isNotEqualTo(before);
    }

    @Test
    void everyDamagedByteIsFound() throws IOException {
        cache("demo", "west").save(ROUTE);
        byte[] good = Files.readAllBytes(file());
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 1;
            Files.write(file(), bad);
            assertThat(cache("demo", "west").load()).isNull();
        }
        Files.write(file(), new byte[0]);
        assertThat(cache("demo", "west").load()).isNull();
    }

    @Test
    void onlyTheOwnerMayReadIt() throws IOException {
        cache("demo", "west").save(ROUTE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void whoWritesBesideOthersPutsAWholeRouteInPlace() {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        cache("demo", "west").save(ROUTE);
        for (int writer = 0; writer < 4; writer++) {
            int number = writer;
            writers.add(CompletableFuture.runAsync(() -> saveMany(number), Thread::startVirtualThread));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            assertThat(cache("demo", "west").load()).isNotNull();
        }
        assertThat(all).succeedsWithin(Patience.LIMIT);
    }

    private void saveMany(int writer) {
        RouteCache cache = cache("demo", "west");
        for (int i = 0; i < 100; i++) {
            String version = writer + "." + i + "x".repeat(10_000 * writer);
            cache.save(ROUTE.toBuilder().setVersion(version).build());
        }
    }

    @Test
    void whatAClientThatDiedLeftIsRemovedAfterADay() throws IOException {
        cache("demo", "west").save(ROUTE);
        Path left = Files.createFile(file().resolveSibling(file().getFileName() + ".17.new"));
        Files.setLastModifiedTime(left, FileTime.from(START));
        now = START.plus(RouteCache.MOST_AGE);
        cache("demo", "west").save(ROUTE);
        assertThat(left).exists();

        now = now.plusMillis(1);
        cache("demo", "west").save(ROUTE);

        assertThat(left).doesNotExist();
    }

    @Test
    void withoutAFolderNothingIsKept() {
        RouteCache none = new RouteCache(null, List.of("a:1"), "demo", "west", () -> now);
        none.save(ROUTE);
        assertThat(none.load()).isNull();
        assertThat(RouteCache.MOST_AGE).isEqualTo(Duration.ofDays(1));
    }

    private RouteCache cache(String resource, String region) {
        return new RouteCache(folder.resolve("routes"), List.of("a:1", "b:1"), resource, region, () -> now);
    }

    private Path file() throws IOException {
        try (var files = Files.list(folder.resolve("routes"))) {
            return files.findFirst().orElseThrow();
        }
    }
}
