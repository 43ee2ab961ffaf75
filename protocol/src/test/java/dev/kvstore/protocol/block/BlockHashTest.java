package dev.kvstore.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BlockHashTest {
    private static final String HEX = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

    @Property
    void everyFormHoldsTheSameBytes(@ForAll @Size(32) byte[] bytes) {
        BlockHash hash = BlockHash.of(bytes);

        assertThat(hash.toBytes()).isEqualTo(bytes);
        assertThat(WireNames.hash(WireNames.field(hash))).isEqualTo(hash);
        assertThat(BlockHash.of(ByteBuffer.wrap(hash.toBytes()))).isEqualTo(hash);
        assertThat(BlockHash.ofHex(hash.hex())).isEqualTo(hash).hasSameHashCodeAs(hash);
    }

    @Test
    void theFirstByteIsTheFirstTwoDigits() {
        BlockHash hash = BlockHash.ofHex(HEX);

        assertThat(hash.toBytes()).startsWith(0, 1, 2, 3).endsWith(0x1e, 0xff);
        assertThat(hash.hex()).isEqualTo(HEX);
        assertThat(hash).hasToString(HEX);
    }

    @Test
    void theOrderOfABufferNeitherMattersNorChanges() {
        BlockHash hash = BlockHash.ofHex(HEX);
        ByteBuffer target =
                ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN).position(4);

        hash.putTo(target);

        assertThat(target.position()).isEqualTo(36);
        assertThat(target.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(BlockHash.at(target, 4)).isEqualTo(hash);
        assertThat(target.slice(4, 32)).isEqualTo(ByteBuffer.wrap(hash.toBytes()));
    }

    @Test
    void aHashIsReadFromTheMiddleOfAMessage() {
        BlockHash hash = BlockHash.ofHex(HEX);
        ByteString message = ByteString.copyFromUtf8("before").concat(WireNames.field(hash));

        assertThat(WireNames.hash(message.substring(6))).isEqualTo(hash);
    }

    @Test
    void anythingButThirtyTwoBytesIsRefused() {
        assertThatThrownBy(() -> BlockHash.of(new byte[31]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a hash has 32 bytes, not 31");
        assertThatThrownBy(() -> WireNames.hash(ByteString.EMPTY)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BlockHash.ofHex(HEX + "00")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BlockHash.ofHex(HEX.replace('0', 'x'))).isInstanceOf(IllegalArgumentException.class);
    }
}
