package dev.kvstore.endtoend;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Pods with addresses of IPv6 alone. */
@Tag("full")
@EnabledOnOs(value = OS.LINUX, disabledReason = "network namespaces are Linux' own")
class PodsOfIpv6IT extends PodsContract {
    PodsOfIpv6IT() {
        super(PodNetwork.Family.IPV6);
    }
}
