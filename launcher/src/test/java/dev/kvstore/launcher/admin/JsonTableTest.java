package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTableTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void columnsAreAsWideAsTheirWidestCell() throws Exception {
        assertThat(JsonTable.of(
                        List.of("name", "createdAt"),
                        List.of(
                                JSON.readTree("{\"name\": \"\\uD83D\\uDE00 long\", \"createdAt\": \"now\"}"),
                                JSON.readTree("{\"name\": \"b\"}"))))
                .isEqualTo("""
                        NAME    CREATED-AT
                        \uD83D\uDE00 long  now
                        b       -
                        """);
    }

    @Test
    void fieldsBelowAreNamedByTheirPaths() throws Exception {
        assertThat(JsonTable.of(JSON.readTree(
                        "{\"a\": {\"b\": [{\"c\": 1}, {\"c\": null}]}, \"words\": [\"x\", \"y\"], \"none\": []}")))
                .isEqualTo("""
                        a.b[0].c  1
                        a.b[1].c  -
                        words     x,y
                        none      -
                        """);
    }

    @Test
    void whatOthersWroteDoesNotSteerTheTerminal() throws Exception {
        assertThat(JsonTable.of(JSON.readTree("{\"label\": \"\\u001b[2J\\n\"}")))
                .isEqualTo("label  ?[2J?\n");
    }
}
