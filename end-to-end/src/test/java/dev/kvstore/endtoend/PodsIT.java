package dev.kvstore.endtoend;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Pods with addresses of IPv4 and IPv6. */
@Tag("full")
@EnabledOnOs(value = OS.LINUX, disabledReason = "network namespaces are Linux' own")
class PodsIT extends PodsContract {
    PodsIT() {
        super(PodNetwork.Family.BOTH);
    }
}
