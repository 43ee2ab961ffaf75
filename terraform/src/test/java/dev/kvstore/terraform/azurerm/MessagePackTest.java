package dev.kvstore.terraform.azurerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessagePackTest {
    @Test
    void whatIsWrittenIsRead() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "grün");
        value.put("numbers", List.of(1L, -70_000L, 1.5));
        value.put("yes", true);
        value.put("nothing", null);
        value.put("later", MessagePack.UNKNOWN);
        value.put("blocks", Arrays.asList(Map.of("a", "b"), null));

        assertThat(MessagePack.read(MessagePack.write(value))).isEqualTo(value);
    }

    @Test
    void shortFormsAreReadAsTerraformWritesThem() {
        // {"a": [7, -1, 300, "x"], "b": unknown, refined}
        byte[] bytes = {
            (byte) 0x82,
            (byte) 0xa1,
            'a',
            (byte) 0x94,
            7,
            (byte) 0xff,
            (byte) 0xcd,
            1,
            44,
            (byte) 0xa1,
            'x',
            (byte) 0xa1,
            'b',
            (byte) 0xc7,
            2,
            12,
            (byte) 0x80,
            0
        };

        assertThat(MessagePack.read(ByteString.copyFrom(bytes)))
                .isEqualTo(Map.of("a", List.of(7L, -1L, 300L, "x"), "b", MessagePack.UNKNOWN));
    }

    @Test
    void aTextLongerThanAnyShortFormIsWhole() {
        String text = String.join("", Collections.nCopies(70_000, "a"));

        assertThat(MessagePack.read(MessagePack.write(text))).isEqualTo(text);
    }

    @Test
    void aNumberTooLargeForALongKeepsItsDigits() {
        byte[] bytes = {(byte) 0xcf, -1, -1, -1, -1, -1, -1, -1, -1};

        assertThat(MessagePack.read(ByteString.copyFrom(bytes))).isEqualTo(new BigDecimal("18446744073709551615"));
    }

    @Test
    void bytesThatAreNoMessagePackAreRefused() {
        assertThatThrownBy(() -> MessagePack.read(ByteString.copyFrom(new byte[] {(byte) 0xc1})))
                .hasMessageContaining("c1");
    }
}
