package dev.kvstore.control.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PathMethodsTest {
    private final PathMethods methods;

    PathMethodsTest() throws IOException {
        methods = PathMethods.of(new ObjectMapper().readTree("""
                {"paths": {
                    "/v1/things": {"get": {}, "summary": "Things"},
                    "/v1/things/{thing}": {"get": {}, "put": {}},
                    "/v1/things/all": {"post": {}}}}
                """));
    }

    @Test
    void areThoseOfTheDocumentWithHeadForGetAndOptions() {
        assertThat(methods.of("/v1/things").orElseThrow()).containsExactly("GET", "HEAD", "OPTIONS");
        assertThat(methods.of("/v1/things/one").orElseThrow()).containsExactly("GET", "HEAD", "OPTIONS", "PUT");
    }

    @Test
    void ofANameOfItsOwnGoBeforeThoseOfAParameter() {
        assertThat(methods.of("/v1/things/all").orElseThrow()).containsExactly("OPTIONS", "POST");
    }

    @Test
    void aSlashAtTheEndChangesNothing() {
        assertThat(methods.of("/v1/things/")).isEqualTo(methods.of("/v1/things"));
    }

    @Test
    void noOtherPathHasAny() {
        assertThat(methods.of("/v1")).isEmpty();
        assertThat(methods.of("/v1/things/one/more")).isEmpty();
    }
}
