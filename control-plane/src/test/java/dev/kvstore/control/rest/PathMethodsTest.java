package dev.kvstore.control.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PathMethodsTest {
    private final PathMethods methods;

    PathMethodsTest() throws IOException {
        methods = PathMethods.of(new ObjectMapper().readTree("""
                {"paths": {
                    "/v1/things": {"get": {"parameters": [
                        {"in": "query", "name": "limit"}, {"in": "header", "name": "If-Match"}]}, "summary": "Things"},
                    "/v1/things/{thing}": {"get": {}, "put": {}},
                    "/v1/things/all": {"post": {}}}}
                """));
    }

    @Test
    void areThoseOfTheDocumentWithHeadForGetAndOptions() {
        assertThat(methods.of("/v1/things").orElseThrow().names()).containsExactly("GET", "HEAD", "OPTIONS");
        assertThat(methods.of("/v1/things/one").orElseThrow().names()).containsExactly("GET", "HEAD", "OPTIONS", "PUT");
    }

    @Test
    void ofANameOfItsOwnGoBeforeThoseOfAParameter() {
        assertThat(methods.of("/v1/things/all").orElseThrow().names()).containsExactly("OPTIONS", "POST");
    }

    @Test
    void aSlashAtTheEndChangesNothing() {
        assertThat(methods.of("/v1/things/")).isEqualTo(methods.of("/v1/things"));
    }

    @Test
    void haveTheQueryParametersOfTheDocumentAndHeadThoseOfGet() {
        assertThat(methods.of("/v1/things").orElseThrow().parameters())
                .containsEntry("GET", Set.of("limit"))
                .containsEntry("HEAD", Set.of("limit"));
    }

    @Test
    void noOtherPathHasAny() {
        assertThat(methods.of("/v1")).isEmpty();
        assertThat(methods.of("/v1/things/one/more")).isEmpty();
    }
}
