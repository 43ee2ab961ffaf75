package dev.kvstore.control.server;

import dev.kvstore.settings.Setting;
import java.util.List;

/**
 * The settings of a control plane that are no flags. The code that reads a setting repeats its default; a test compares
 * the two.
 */
final class SettingList {
    /** The settings by name, without the prefix {@code kvstore.}. */
    static final List<Setting> SETTINGS = List.of(
            count(
                    "max-accounts-per-tenant",
                    "10000",
                    "Storage accounts of one tenant.",
                    "PUT of one more answers 409 with a problem document."),
            new Setting(
                    "max-connections",
                    "number",
                    "2000",
                    "1 or more",
                    "Open connections of data planes and clients to the gRPC port that have shown a good credential."
                            + " Connections without one take the room that is left, and an eighth beyond.",
                    "A connection of the tenant or cluster that has most is closed for one of another that has fewer; else the"
                            + " new one is. Of connections without a credential the oldest of the address with most goes."),
            count(
                    "max-grants-per-account",
                    "1000",
                    "Grants of one storage account.",
                    "PUT of one more answers 409 with a problem document."),
            count(
                    "max-keys-per-tenant",
                    "1000",
                    "API keys of one tenant that are neither revoked nor expired. With those that ended in the last 7 days,"
                            + " ten times as many.",
                    "POST of one more answers 409 with a problem document."),
            new Setting(
                    "max-new-connections",
                    "number",
                    "20",
                    "1 to 1000000",
                    "Connections of one address to the gRPC port that begin in a second and show no good credential; those of 5 s"
                            + " may begin at once.",
                    "A connection waits up to 5 s for its turn, then it is closed. Connections that were there stay."),
            count(
                    "max-purges-per-tenant",
                    "5",
                    "Purges of one tenant that are not over.",
                    "POST of one more answers 409 with a problem document."),
            count(
                    "max-warmings-per-tenant",
                    "100",
                    "Warmings of one tenant that are not over.",
                    "POST of one more answers 409 with a problem document."),
            text("oidc.audience", "kvstore", "Audience (aud) that tokens must have."),
            new Setting(
                    "oidc.enabled",
                    "switch",
                    "false",
                    "true or false",
                    "Accepts tokens of an OpenID Connect provider.",
                    ""),
            new Setting(
                    "oidc.insecure",
                    "switch",
                    "false",
                    "true or false",
                    "Asks a provider on another machine without TLS: an attacker on the network between can make admins.",
                    ""),
            text(
                    "oidc.issuer",
                    "http://127.0.0.1:1/none",
                    "URL of the provider, https:// unless it is on this machine; the default is nobody's."),
            text("oidc.roles-claim", "groups", "Claim of a token that has the caller's roles."),
            text("oidc.tenant-claim", "kvstore_tenant", "Claim of a token that has the caller's tenant."),
            new Setting(
                    "open-metrics",
                    "switch",
                    "false",
                    "true or false",
                    "Answers /q/metrics on the REST port to other machines, which show no token.",
                    "Without it, other machines get 403."),
            new Setting(
                    "proxy-protocol-from",
                    "addresses",
                    "none",
                    "",
                    "IP addresses and networks of load balancers, such as 10.0.9.0/24,fd00:9::/64, whose connections to the"
                            + " gRPC port begin with a header of the PROXY protocol, version 2.",
                    "A connection from there without the header is closed; so is one with it from elsewhere."),
            new Setting(
                    "tls-reload-interval",
                    "time",
                    "10s",
                    "",
                    "Time between two checks of the TLS files for changes; new connections use what the files hold then.",
                    ""));

    /** The environment variables by name. */
    static final List<Setting> VARIABLES = List.of(
            new Setting(
                    "KVSTORE_ADMIN_TOKEN",
                    "text",
                    "none",
                    "kva_ and 16 characters or more",
                    "Token of one platform admin, for a start and for machines without an identity provider. Without"
                            + " it, only tokens of the OpenID Connect provider are accepted.",
                    ""),
            new Setting(
                    "KVSTORE_DB_PASSWORD",
                    "text",
                    "empty",
                    "",
                    "Password for the database of --jdbc-url. With a wrong one the control plane ends with exit code"
                            + " 1.",
                    ""),
            new Setting("KVSTORE_DB_USER", "text", "empty", "", "User of the database of --jdbc-url.", ""),
            new Setting(
                    "KVSTORE_JOIN_TOKEN",
                    "text",
                    "none",
                    "16 characters or more",
                    "Makes its bearer a data plane of any cluster: for a first start and for benchmarks. Leave it unset, and"
                            + " give each cluster join tokens (kv admin create join-token).",
                    ""));

    private SettingList() {}

    private static Setting count(String name, String standard, String bounds, String reached) {
        return new Setting(name, "number", standard, "0 or more", bounds, reached);
    }

    private static Setting text(String name, String standard, String bounds) {
        return new Setting(name, "text", standard, "", bounds, "");
    }
}
