package dev.kvstore.terraform.azurerm;

import java.util.List;
import java.util.stream.Stream;

/** Texts that forms in the table take or refuse, at their limits. */
final class SampleTexts {
    private static final List<String> NAMES = List.of(
            "a",
            "A",
            "1",
            "_",
            "ab",
            "a1",
            "1a",
            "a-",
            "-a",
            "_a",
            "a_",
            "ab-",
            "aB1",
            "a-b",
            "a_b",
            "a.b",
            "a b",
            "abc",
            "kv-eu-1",
            "kveu1",
            "Standard_D2s_v3",
            "B_Standard_B1ms",
            "GP_Standard_D4s_v3",
            "MO_Standard_E4ds_v5",
            "GP_Gen5_4",
            "a\u00fc1");
    private static final List<String> DURATIONS = List.of(
            "PT0S", "PT1S", "PT30S", "PT59S", "PT1M", "PT4M", "PT5M", "PT9M", "PT10M", "PT14M", "PT15M", "PT16M",
            "PT20M", "PT30M", "PT60M", "PT89M", "PT90M", "PT91M", "PT1H", "PT1H30M", "PT24H", "P1D", "P7D", "P1DT1H",
            "P1W", "PT", "P", "5M", "PT5m", "PT1M30S");
    private static final List<String> KEYS = List.of(
            "ssh-rsa AAAA",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin",
            "ecdsa-sha2-nistp256 AAAA");
    private static final List<Integer> LENGTHS =
            List.of(3, 4, 7, 8, 11, 12, 13, 22, 23, 24, 25, 63, 64, 80, 127, 128, 129, 140, 141, 512, 513);

    /**
     * All of them; none is a lone "-", on which azurerm's reading of times panics, and none is empty, since azurerm
     * takes an empty text for one that is not set.
     */
    static final List<String> ALL = Stream.of(
                    NAMES, DURATIONS, KEYS, LENGTHS.stream().map("a"::repeat).toList())
            .flatMap(List::stream)
            .toList();

    private SampleTexts() {}
}
