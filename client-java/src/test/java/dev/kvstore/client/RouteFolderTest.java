package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteFolderTest {
    @Test
    void linuxKeepsRoutesWhereXdgSays() {
        assertThat(RouteFolder.of(Map.of("XDG_CACHE_HOME", "/var/cache/me"), "Linux", "/home/me"))
                .isEqualTo(Path.of("/var/cache/me/kvstore/routes"));
        assertThat(RouteFolder.of(Map.of(), "Linux", "/home/me")).isEqualTo(Path.of("/home/me/.cache/kvstore/routes"));
    }

    @Test
    void aRelativePlaceCountsForNothing() {
        assertThat(RouteFolder.of(Map.of("XDG_CACHE_HOME", "cache"), "Linux", "/home/me"))
                .isEqualTo(Path.of("/home/me/.cache/kvstore/routes"));
    }

    @Test
    void macKeepsThemInItsLibrary() {
        assertThat(RouteFolder.of(Map.of(), "Mac OS X", "/Users/me"))
                .isEqualTo(Path.of("/Users/me/Library/Caches/kvstore/routes"));
    }

    @Test
    void aSystemThatNamesNoPlaceKeepsNone() {
        assertThat(RouteFolder.of(Map.of(), "Linux", "")).isNull();
        assertThat(RouteFolder.of(Map.of(), "Windows 11", "/home/me")).isNull();
    }
}
