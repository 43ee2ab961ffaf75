package dev.kvstore.control.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.kvstore.settings.BadFlag;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A database or an identity provider on another machine has to prove its identity. */
class FarEndsTest {
    @Test
    void aDatabaseIsVerifiedByTheJdksAuthoritiesUnlessOthersAreNamed() {
        String url = "jdbc:postgresql://db.example/kv?sslmode=verify-full";

        assertThat(FarEnds.withAuthorities(url, false))
                .isEqualTo(url + "&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory");
        assertThat(FarEnds.withAuthorities(url, true)).isEqualTo(url);
        assertThat(FarEnds.withAuthorities(url + "&sslrootcert=/etc/ca.pem", false))
                .isEqualTo(url + "&sslrootcert=/etc/ca.pem");
        assertThat(FarEnds.withAuthorities("jdbc:postgresql://localhost/kv", false))
                .isEqualTo("jdbc:postgresql://localhost/kv");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db.example/kv?sslmode=verify-full",
                "jdbc:postgresql://db.example:5432,other.example/kv?user=a&sslmode=verify-full&sslrootcert=/etc/ca.pem",
                "jdbc:postgresql://127.0.0.1:5432/kv",
                "jdbc:postgresql://127.3.2.1/kv",
                "jdbc:postgresql://localhost/kv",
                "jdbc:postgresql://[::1]:5432/kv",
                "jdbc:postgresql:///kv",
                "jdbc:postgresql:kv"
            })
    void aDatabaseThatProvesItselfOrIsHereMayBeUsed(String url) {
        assertThat(FarEnds.databaseFlaw(url)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db.example/kv",
                "jdbc:postgresql://db.example/kv?sslmode=verify-ca",
                "jdbc:postgresql://db.example/kv?sslmode=require",
                "jdbc:postgresql://db.example/kv?sslmode=verify-full&sslmode=disable",
                "jdbc:postgresql://db.example/kv?sslmode=verify-full&sslfactory=org.postgresql.ssl.NonValidatingFactory",
                "jdbc:postgresql://db.example/kv?sslmode=verify-full&ssl%46actory=a.B",
                "jdbc:postgresql://127.0.0.1,db.example/kv",
                "jdbc:postgresql://127.0.0.1.example/kv",
                "jdbc:postgresql:kv?service=elsewhere",
                "jdbc:postgresql://[2001:db8::1]:5432/kv"
            })
    void anyOtherMayNotAndTheMessageNamesTheWayOut(String url) {
        assertThat(FarEnds.databaseFlaw(url)).startsWith("--jdbc-url: ").contains("--insecure-database");
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> flags("--jdbc-url", url).settings())
                .withMessageStartingWith("--jdbc-url");
        assertThatNoException()
                .isThrownBy(
                        () -> flags("--jdbc-url", url, "--insecure-database").settings());
    }

    @Test
    void aFolderForADatabaseIsRefusedWithTheCommandThatStartsOneThere() {
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> flags("--data", "/var/kv").settings())
                .withMessage("--data: a control plane starts no database; run kv database --data /var/kv, and give the"
                        + " URL that it prints as --jdbc-url");
    }

    private static Flags flags(String... arguments) {
        Flags flags = new Flags();
        new CommandLine(flags).parseArgs(arguments);
        return flags;
    }

    @Test
    void anIssuerSpeaksHttpsOrIsHere() {
        assertThat(FarEnds.issuerFlaw("https://login.example/tenant")).isNull();
        assertThat(FarEnds.issuerFlaw("http://127.0.0.1:8180/realms/a")).isNull();
        assertThat(FarEnds.issuerFlaw("http://login.example/tenant")).contains("KVSTORE_OIDC_INSECURE=true");
        assertThat(FarEnds.issuerFlaw("login.example")).isNotNull();
        assertThat(FarEnds.issuerFlaw("ht tp://")).isNotNull();
    }

    @Test
    void anIssuerCountsOnlyWhereItIsAskedAndNotSaidToBeInsecure() {
        Map<String, String> given =
                Map.of("kvstore.oidc.enabled", "true", "kvstore.oidc.issuer", "http://login.example");

        assertThat(FarEnds.issuerFlaw(settings(given, Map.of()))).isNotNull();
        assertThat(FarEnds.issuerFlaw(settings(given, Map.of("kvstore.oidc.insecure", "true"))))
                .isNull();
        assertThat(FarEnds.issuerFlaw(settings(given, Map.of("kvstore.oidc.enabled", "false"))))
                .isNull();
        assertThat(FarEnds.issuerFlaw(settings(given, Map.of("kvstore.oidc.issuer", "https://login.example"))))
                .isNull();
    }

    private static ControlPlaneSettings settings(Map<String, String> given, Map<String, String> stronger) {
        return ControlPlaneSettings.DECLARED.read(new SmallRyeConfigBuilder()
                .withSources(
                        new PropertiesConfigSource(given, "given", 100),
                        new PropertiesConfigSource(stronger, "stronger", 200)));
    }
}
