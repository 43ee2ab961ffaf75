package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link CommandText}: what others may read of a command. */
class CommandTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--quick | --quick",
                "--clients=1,4,8 | --clients=1,4,8",
                "../traces/trace.jsonl | ../traces/trace.jsonl",
                "/home/somebody/traces/trace.jsonl | .../trace.jsonl",
                "--json=/home/somebody/figures.json | --json=.../figures.json",
                "get=20ms,put=40ms | get=20ms,put=40ms",
                "--trace=a=/x/y/b,/c/d | --trace=a=.../b,.../d",
                "machine.example:8085 | HOST:8085",
                "10.1.2.3:8085,127.0.0.1:8086 | HOST:8085,127.0.0.1:8086",
                "--endpoint=[fe80::1]:8085 | --endpoint=HOST:8085",
                "[::1]:8085 | '[::1]:8085'",
                "https://me:secret@machine.example:443/v1 | https://HOST:443/v1",
                "jdbc:postgresql://db.example/kv | jdbc:postgresql://HOST/kv",
                "http://localhost:8080 | http://localhost:8080",
                "file:///home/somebody/a.json | file://.../a.json",
                "--admin-token=abc | --admin-token=...",
                "streaming read | 'streaming read'",
                "it's | 'it'\\''s'",
                "10:30 | 10:30",
            })
    void namesNoSecretNoFolderAndNoMachine(String argument, String shown) {
        assertThat(CommandText.of("kv bench", List.of("peers", argument))).isEqualTo("kv bench peers " + shown);
    }

    @Test
    void hidesWhatFollowsTheFlagOfASecret() {
        assertThat(CommandText.of("kv bench", List.of("--api-key", "abc", "--quick")))
                .isEqualTo("kv bench --api-key ... --quick");
    }
}
