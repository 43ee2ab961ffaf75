package dev.kvstore.listener;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.ProxyHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** {@link ProxyHeader} before handlers that take what comes, as TLS and HTTP/2 do. */
final class ProxyHeaderTest {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final Object BEGIN = "begin";

    private final List<InetSocketAddress> clients = new ArrayList<>();
    private int refused;

    /** The events and messages that the handlers behind it received. */
    private final List<Object> events = new ArrayList<>();

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    private EmbeddedChannel accepted() {
        ProxyHeader.ProxyOutcome outcome = new ProxyHeader.ProxyOutcome() {
            @Override
            public void from(InetSocketAddress client) {
                assertThat(taken.size()).isZero();
                clients.add(client);
            }

            @Override
            public void refused() {
                refused++;
            }
        };
        ChannelInboundHandlerAdapter behind = new ChannelInboundHandlerAdapter() {
            @Override
            public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
            }

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                ByteBuf bytes = (ByteBuf) message;
                assertThat(events).containsExactly(BEGIN);
                taken.writeBytes(ByteBufUtil.getBytes(bytes));
                bytes.release();
            }
        };
        EmbeddedChannel channel = new EmbeddedChannel(new ProxyHeader(outcome), behind);
        channel.pipeline().fireUserEventTriggered(BEGIN);
        return channel;
    }

    private static byte[] joined(byte[] one, byte[] other) {
        return ByteBuffer.allocate(one.length + other.length)
                .put(one)
                .put(other)
                .array();
    }

    private EmbeddedChannel after(byte[]... reads) {
        EmbeddedChannel channel = accepted();
        for (byte[] read : reads) {
            channel.writeInbound(Unpooled.copiedBuffer(read));
        }
        return channel;
    }

    private static InetSocketAddress client(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private void assertRefused(EmbeddedChannel channel) {
        assertThat(channel.isOpen()).isFalse();
        assertThat(refused).isEqualTo(1);
        assertThat(clients).isEmpty();
        assertThat(events).isEmpty();
        assertThat(taken.size()).isZero();
    }

    @Test
    void theClientIsTheOneThatTheHeaderNames() {
        EmbeddedChannel channel = after(joined(ProxyHeaders.of("198.51.100.7", 40_001, new byte[0]), PREFACE));

        assertThat(clients).containsExactly(client("198.51.100.7", 40_001));
        assertThat(taken.toByteArray()).isEqualTo(PREFACE);
        assertThat(channel.pipeline().get(ProxyHeader.class)).isNull();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aClientMayBeOfIpv6() {
        after(ProxyHeaders.of("2001:db8::7", 40_001, new byte[0]));

        assertThat(clients).containsExactly(client("2001:db8::7", 40_001));
    }

    @Test
    void whatPrivateLinkAddsIsPassedOver() {
        byte[] header = ProxyHeaders.of("198.51.100.7", 40_001, ProxyHeaders.linkId(42));

        after(joined(header, PREFACE));

        assertThat(clients).hasSize(1);
        assertThat(taken.toByteArray()).isEqualTo(PREFACE);
    }

    @Test
    void aHealthProbeOfTheBalancerNamesNobodyAndIsServed() {
        EmbeddedChannel channel = after(ProxyHeaders.ofItself(), PREFACE);

        assertThat(clients).isEmpty();
        assertThat(taken.toByteArray()).isEqualTo(PREFACE);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aProbesAddressesAreNotBelieved() {
        byte[] header = ProxyHeaders.of("198.51.100.7", 40_001, new byte[0]);
        header[ProxyHeaders.COMMAND_AT] = ProxyHeaders.LOCAL;

        after(joined(header, PREFACE));

        assertThat(clients).isEmpty();
        assertThat(taken.toByteArray()).isEqualTo(PREFACE);
    }

    @Test
    void aBalancerThatDoesNotKnowItsClientIsServed() {
        after(joined(ProxyHeaders.of(ProxyHeaders.PROXY, ProxyHeaders.UNKNOWN, new byte[0]), PREFACE));

        assertThat(clients).isEmpty();
        assertThat(taken.toByteArray()).isEqualTo(PREFACE);
    }

    @Test
    void nothingBeginsBeforeTheHeaderIsThere() {
        byte[] header = ProxyHeaders.of("198.51.100.7", 40_001, new byte[0]);
        EmbeddedChannel channel = after(Arrays.copyOf(header, header.length - 1));

        assertThat(events).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aConnectionWithoutAHeaderIsRefused() {
        assertRefused(after(PREFACE));
    }

    @Test
    void aHandshakeOfTlsInPlaceOfAHeaderIsRefused() {
        byte[] hello = new byte[512];
        hello[0] = 0x16;
        hello[1] = 3;

        assertRefused(after(hello));
    }

    @Test
    void aHeaderOfVersion1IsRefused() {
        assertRefused(after(joined(ProxyHeaders.ofVersion1("198.51.100.7"), PREFACE)));
    }

    @Test
    void aHeaderOfAConnectionThatIsNotTcpIsRefused() {
        byte[] header = ProxyHeaders.of("198.51.100.7", 40_001, new byte[0]);
        header[ProxyHeaders.FAMILY_AT] = ProxyHeaders.UDP4;

        assertRefused(after(joined(header, PREFACE)));
    }

    @Test
    void aHeaderWithoutItsAddressesIsRefused() {
        assertRefused(after(ProxyHeaders.of(ProxyHeaders.PROXY, ProxyHeaders.TCP4, new byte[4])));
    }

    @Test
    void aCommandThatThereIsNotIsRefused() {
        assertRefused(after(ProxyHeaders.of((byte) 0x2F, ProxyHeaders.TCP4, new byte[12])));
    }

    @Test
    void anAdditionThatIsLongerThanTheHeaderIsRefused() {
        byte[] addition = ProxyHeaders.linkId(42);
        addition[2] = 100;

        assertRefused(after(ProxyHeaders.of("198.51.100.7", 40_001, addition)));
    }

    @Test
    void theLongestHeaderIsTakenAndALongerOneIsRefused() {
        int room = ProxyHeader.MOST_BYTES - ProxyHeaders.of("198.51.100.7").length - 3;
        after(ProxyHeaders.of("198.51.100.7", 1, ProxyHeaders.addition(4, new byte[room])));
        assertThat(clients).hasSize(1);
        clients.clear();
        events.clear();

        assertRefused(after(ProxyHeaders.of("198.51.100.7", 1, ProxyHeaders.addition(4, new byte[room + 1]))));
    }

    @Test
    void aLongHeaderIsRefusedBeforeItIsThere() {
        byte[] header = ProxyHeaders.of("198.51.100.7", 1, ProxyHeaders.addition(4, new byte[60_000]));

        assertRefused(after(Arrays.copyOf(header, ProxyHeader.MOST_BYTES + 1)));
    }

    @Property(tries = 200)
    void aHeaderMayComeInAnyPieces(@ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 40) Integer> pieces) {
        clients.clear();
        events.clear();
        taken.reset();
        ByteBuffer bytes =
                ByteBuffer.wrap(joined(ProxyHeaders.of("198.51.100.7", 40_001, ProxyHeaders.linkId(42)), PREFACE));
        EmbeddedChannel channel = accepted();
        for (int piece : pieces) {
            byte[] read = new byte[Math.min(piece, bytes.remaining())];
            bytes.get(read);
            channel.writeInbound(Unpooled.copiedBuffer(read));
        }
        channel.writeInbound(Unpooled.copiedBuffer(bytes));

        assertThat(clients).containsExactly(client("198.51.100.7", 40_001));
        assertThat(taken.toByteArray()).isEqualTo(PREFACE);
    }

    @Property(tries = 500)
    void ofWhatIsNoHeaderNothingIsPassedOn(@ForAll @Size(min = 109, max = 300) byte[] noise) {
        refused = 0;
        taken.reset();
        events.clear();
        noise[0] = 'x';

        EmbeddedChannel channel = after(noise);

        assertThat(channel.isOpen()).isFalse();
        assertThat(refused).isEqualTo(1);
        assertThat(taken.size()).isZero();
        assertThat(events).isEmpty();
    }
}
