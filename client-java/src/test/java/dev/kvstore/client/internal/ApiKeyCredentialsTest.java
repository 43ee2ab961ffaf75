package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.SecurityLevel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ApiKeyCredentialsTest {
    private static final ApiKeyCredentials CAREFUL = new ApiKeyCredentials("kv_secret", false);

    @Test
    void theKeyTravelsEncryptedAnywhere() throws Exception {
        assertThat(CAREFUL.mayTravel(SecurityLevel.PRIVACY_AND_INTEGRITY, elsewhere()))
                .isTrue();
    }

    @Test
    void theKeyTravelsInClearToThisMachineOnly() throws Exception {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8085);

        assertThat(CAREFUL.mayTravel(SecurityLevel.NONE, here)).isTrue();
        assertThat(CAREFUL.mayTravel(SecurityLevel.NONE, elsewhere())).isFalse();
        assertThat(CAREFUL.mayTravel(SecurityLevel.INTEGRITY, elsewhere())).isFalse();
        assertThat(CAREFUL.mayTravel(SecurityLevel.NONE, null)).isFalse();
    }

    @Test
    void aNameThatWasResolvedElsewhereIsNotThisMachine() throws Exception {
        InetAddress stolen = InetAddress.getByAddress("localhost", new byte[] {(byte) 192, 0, 2, 1});

        assertThat(CAREFUL.mayTravel(SecurityLevel.NONE, new InetSocketAddress(stolen, 8085)))
                .isFalse();
    }

    @Test
    void whoAsksForItByNameSendsTheKeyInClear() throws Exception {
        assertThat(new ApiKeyCredentials("kv_secret", true).mayTravel(SecurityLevel.NONE, elsewhere()))
                .isTrue();
    }

    private static InetSocketAddress elsewhere() throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 8085);
    }
}
