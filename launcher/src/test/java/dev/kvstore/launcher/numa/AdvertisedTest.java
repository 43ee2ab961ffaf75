package dev.kvstore.launcher.numa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class AdvertisedTest {
    @Test
    void portsFollowThatOfTheFirst() {
        Advertised advertised = Advertised.of("--advertise", "[fd00::4]:8085", 2);

        assertThat(advertised.of(0)).containsExactly("--advertise", "[fd00::4]:8085");
        assertThat(advertised.of(1)).containsExactly("--advertise", "[fd00::4]:8086");
    }

    @Test
    void eachMayHaveAnAddressOfItsOwn() {
        Advertised advertised = Advertised.of("--advertise-remote", "10.0.0.4:8085,10.0.1.4:8085", 2);

        assertThat(advertised.of(1)).containsExactly("--advertise-remote", "10.0.1.4:8085");
    }

    @Test
    void addressesAreForAllDataPlanesOrThereIsOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Advertised.of("--advertise", "a:1,b:1", 3))
                .withMessage("--advertise: must be the address of the first data plane, or one for each of 3, not 2");
    }

    @Test
    void anAddressHasAPort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Advertised.of("--advertise", "machine-1", 2))
                .withMessage("--advertise: must be HOST:PORT, not \"machine-1\"");
    }
}
