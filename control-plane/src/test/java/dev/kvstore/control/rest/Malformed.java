package dev.kvstore.control.rest;

import java.util.List;

/** Texts that no correct request has. */
final class Malformed {
    private Malformed() {}

    /** Names that nothing can have, as they are in a path or a query. */
    static final List<String> NAMES = List.of(
            "a".repeat(64),
            "a".repeat(3_000),
            "UPPER_",
            "a..b",
            "-a",
            "%00",
            "a%00b",
            "%0d%0aX:%20y",
            "%E2%82%AC",
            "%FF%FE",
            "%zz",
            "%",
            "a%2Fb",
            "%F0%9F%92%A9",
            "%2e%2e",
            "a%20b",
            "a;b=c",
            "%27%3B%20drop%20table%20tenant%3B--",
            "Gr\u00f6\u00dfe");

    /** Queries that no list has. */
    static final List<String> QUERIES = List.of(
            "limit=-1",
            "limit=0",
            "limit=1e9",
            "limit=99999999999999999999",
            "limit=%00",
            "limit=5&limit=x",
            "cursor=%00",
            "cursor=!!",
            "cursor=AAAA",
            "cursor=" + "A".repeat(3_000),
            "cursor=gICA",
            "%zz=%zz",
            "&&&=&");

    /** Bodies that are no JSON, or none that anything takes. */
    static final List<String> BODIES = List.of(
            "",
            " ",
            "{",
            "[]",
            "1",
            "nonsense",
            "\"text\"",
            "{\"unknown\": 1}",
            "{} {}",
            "{\"a\": NaN}",
            "{\"a\": 1e999999999}",
            "{'a': 1}",
            "{\"a\": 1, \"a\": 2}",
            "\u0000",
            "\ufeff{",
            "{\"displayName\": \"\\ud800\"",
            "<tenant/>",
            "{\"a\":".repeat(2_000) + "1" + "}".repeat(2_000),
            "[".repeat(100_000));
}
