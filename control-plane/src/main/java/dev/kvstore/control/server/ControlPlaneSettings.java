package dev.kvstore.control.server;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.settings.DeclaredSettings;
import dev.kvstore.settings.Described;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;

/**
 * The settings of a control plane that an operator gives by name, as {@code KVSTORE_MAX_CONNECTIONS=500} or {@code
 * -Dkvstore.max-connections=500}. The code that needs one injects it by its name, and gets the default that stands
 * here.
 */
@ConfigMapping(prefix = "kvstore")
public interface ControlPlaneSettings {
    DeclaredSettings<ControlPlaneSettings> DECLARED = new DeclaredSettings<>(ControlPlaneSettings.class);

    @WithDefault("10000")
    @Described(
            least = "0",
            bounds = "Storage accounts of one tenant.",
            reached = "PUT of one more answers 409 with a problem document.")
    int maxAccountsPerTenant();

    @WithDefault("2000")
    @Described(
            least = "1",
            bounds = "Open connections of data planes and clients to the gRPC port that have shown a good credential."
                    + " Connections without one take the room that is left, and an eighth beyond.",
            reached =
                    "A connection of the tenant or cluster that has most is closed for one of another that has fewer; else the"
                            + " new one is. Of connections without a credential the oldest of the address with most goes.")
    int maxConnections();

    @WithDefault("1000")
    @Described(
            least = "0",
            bounds = "Grants of one storage account.",
            reached = "PUT of one more answers 409 with a problem document.")
    int maxGrantsPerAccount();

    @WithDefault("1000")
    @Described(
            least = "0",
            bounds =
                    "API keys of one tenant that are neither revoked nor expired. With those that ended in the last 7 days,"
                            + " ten times as many.",
            reached = "POST of one more answers 409 with a problem document.")
    int maxKeysPerTenant();

    @WithDefault("20")
    @Described(
            least = "1",
            most = "1000000",
            bounds =
                    "Connections of one address to the gRPC port that begin in a second and show no good credential; those of 5 s"
                            + " may begin at once.",
            reached = "A connection waits up to 5 s for its turn, then it is closed. Connections that were there stay.")
    int maxNewConnections();

    @WithDefault("5")
    @Described(
            least = "0",
            bounds = "Purges of one tenant that are not over.",
            reached = "POST of one more answers 409 with a problem document.")
    int maxPurgesPerTenant();

    @WithDefault("100")
    @Described(
            least = "0",
            bounds = "Warmings of one tenant that are not over.",
            reached = "POST of one more answers 409 with a problem document.")
    int maxWarmingsPerTenant();

    @WithName("oidc.audience")
    @WithDefault("kvstore")
    @Described(bounds = "Audience (aud) that tokens must have.")
    String oidcAudience();

    @WithName("oidc.enabled")
    @WithDefault("false")
    @Described(bounds = "Accepts tokens of an OpenID Connect provider.")
    boolean oidcEnabled();

    @WithName("oidc.insecure")
    @WithDefault("false")
    @Described(
            bounds =
                    "Asks a provider on another machine without TLS: an attacker on the network between can make admins.")
    boolean oidcInsecure();

    @WithName("oidc.issuer")
    @WithDefault("http://127.0.0.1:1/none")
    @Described(bounds = "URL of the provider, https:// unless it is on this machine; the default is nobody's.")
    String oidcIssuer();

    @WithName("oidc.roles-claim")
    @WithDefault("groups")
    @Described(bounds = "Claim of a token that has the caller's roles.")
    String oidcRolesClaim();

    @WithName("oidc.tenant-claim")
    @WithDefault("kvstore_tenant")
    @Described(bounds = "Claim of a token that has the caller's tenant.")
    String oidcTenantClaim();

    @WithDefault("false")
    @Described(
            bounds = "Answers /q/metrics on the REST port to other machines, which show no token.",
            reached = "Without it, other machines get 403.")
    boolean openMetrics();

    @WithDefault(BalancerAddresses.NO_ADDRESS)
    @Described(
            type = "addresses",
            form = BalancerAddresses.SHAPE,
            bounds =
                    "IP addresses and networks of load balancers, such as 10.0.9.0/24,fd00:9::/64, whose connections to the"
                            + " gRPC port begin with a header of the PROXY protocol, version 2.",
            reached = "A connection from there without the header is closed; so is one with it from elsewhere.")
    BalancerAddresses proxyProtocolFrom();

    @WithDefault("10s")
    @Described(
            bounds =
                    "Time between two checks of the TLS files for changes; new connections use what the files hold then.")
    Duration tlsReloadInterval();
}
