package dev.kvstore.protocol.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {
    @TempDir
    static Path folder;

    private static TestAuthority authority;
    private static Issued server;
    private static Issued other;
    private static Instant now;

    @BeforeAll
    static void issue() throws IOException {
        authority = new TestAuthority(folder, "authority");
        server = authority.issue("server");
        other = authority.issue("other");
        now = Instant.now().plusSeconds(60); // certificates made later than this are valid too
    }

    @Test
    void aPairIsAnIdentityAndKnowsItsEnd() throws Exception {
        TlsIdentity identity = identity(server.chain(), server.key(), now);

        assertThat(identity.name()).isEqualTo("CN=server");
        assertThat(Duration.between(now, identity.expiry())).isBetween(Duration.ofDays(29), Duration.ofDays(30));
        assertThat(identity.toString()).contains("CN=server").doesNotContain("PrivateKey");
    }

    @Test
    void whatFollowsTheOwnCertificateBelongsToTheChain() throws Exception {
        Path chain = Files.writeString(
                folder.resolve("chain.pem"),
                "explained here\n" + Files.readString(server.chain()) + Files.readString(authority.certificate()));

        assertThat(identity(chain, server.key(), now).chain()).hasSize(2);
    }

    @Test
    void anRsaKeyIsAsGood() throws Exception {
        Issued rsa = selfSigned("rsa", "rsa:2048");

        assertThat(identity(rsa.chain(), rsa.key(), now).key().getAlgorithm()).isEqualTo("RSA");
    }

    @Test
    void aRenewalIsDueSevenDaysBeforeTheEnd() throws Exception {
        TlsIdentity identity = identity(server.chain(), server.key(), now);

        assertThat(identity.endsSoon(identity.expiry().minus(Duration.ofDays(7)).minusSeconds(1)))
                .isFalse();
        assertThat(identity.endsSoon(identity.expiry().minus(Duration.ofDays(7)).plusSeconds(1)))
                .isTrue();
    }

    @Test
    void aRenewalOfAShortLifeIsDueInItsLastThird() throws Exception {
        Issued day = authority.issue("day", 1, "DNS:localhost");
        TlsIdentity identity = identity(day.chain(), day.key(), now);

        assertThat(identity.endsSoon(now.plus(Duration.ofHours(15)))).isFalse();
        assertThat(identity.endsSoon(now.plus(Duration.ofHours(17)))).isTrue();
    }

    @Test
    void aMissingFileIsNamedWithItsOption() {
        Path missing = folder.resolve("missing.pem");

        assertFlaw(missing, server.key(), "--tls-cert: " + missing + " does not exist");
        assertFlaw(server.chain(), missing, "--tls-key: " + missing + " does not exist");
    }

    @Test
    void aFolderIsNoFile() {
        assertFlaw(folder, server.key(), "--tls-cert: " + folder + " cannot be read: ");
    }

    @Test
    void aFileWithoutACertificateSaysWhatItShouldHold() {
        assertFlaw(server.key(), server.key(), "--tls-cert: " + server.key() + " holds no certificate; give PEM");
    }

    @Test
    void aFileWithoutAKeySaysWhatItShouldHold() {
        assertFlaw(
                server.chain(), server.chain(), "--tls-key: " + server.chain() + " holds no private key; give PKCS#8");
    }

    @Test
    void aDamagedCertificateIsNamed() throws Exception {
        Path damaged = folder.resolve("damaged.pem");
        Files.writeString(damaged, Files.readString(server.chain()).replace("MII", "MMM"));
        assertFlaw(damaged, server.key(), "--tls-cert: " + damaged + " holds a certificate that cannot be read");

        Files.writeString(damaged, Files.readString(server.chain()).replaceAll("\n[^\n]+\n-----END", "\n%\n-----END"));
        assertFlaw(damaged, server.key(), "--tls-cert: " + damaged + " ");
    }

    @Test
    void aKeyOfAnotherCertificateIsNamedWithBothFiles() {
        assertFlaw(
                server.chain(),
                other.key(),
                "--tls-key: " + other.key() + " is not the key of the certificate in " + server.chain()
                        + " (CN=server)");
    }

    @Test
    void aKeyOfAnotherKindOrCurveIsNotItsKeyEither() throws Exception {
        Issued rsa = selfSigned("rsa2", "rsa:2048");
        Path curve = folder.resolve("p384.key");
        TestAuthority.openssl(List.of(
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384", "-out", curve.toString()));

        assertFlaw(server.chain(), rsa.key(), "--tls-key: " + rsa.key() + " is not the key");
        assertFlaw(server.chain(), curve, "--tls-key: " + curve + " is not the key");
    }

    @Test
    void anEncryptedKeyIsRefusedWithTheWayToDecryptIt() throws Exception {
        Path encrypted = folder.resolve("encrypted.key");
        convert(encrypted, "pkcs8", "-topk8", "-passout", "pass:1234");

        assertFlaw(server.chain(), encrypted, "--tls-key: " + encrypted + " is encrypted");
    }

    @Test
    void anEcKeyInItsOlderFormIsAsGood() throws Exception {
        Path sec1 = folder.resolve("sec1.key");
        convert(sec1, "ec");
        assertThat(sec1).content().startsWith("-----BEGIN EC PRIVATE KEY-----");

        assertThat(identity(server.chain(), sec1, now).key().getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void anRsaKeyInItsOlderFormIsAsGood() throws Exception {
        Issued rsa = selfSigned("rsa3", "rsa:2048");
        Path pkcs1 = folder.resolve("pkcs1.key");
        TestAuthority.openssl(List.of("rsa", "-traditional", "-in", rsa.key().toString(), "-out", pkcs1.toString()));
        assertThat(pkcs1).content().startsWith("-----BEGIN RSA PRIVATE KEY-----");

        assertThat(identity(rsa.chain(), pkcs1, now).key().getAlgorithm()).isEqualTo("RSA");
    }

    @Test
    void anEncryptedKeyInAnOlderFormIsRefusedWithTheWayToDecryptIt() throws Exception {
        Path encrypted = folder.resolve("encrypted-sec1.key");
        convert(encrypted, "ec", "-aes128", "-passout", "pass:1234");

        assertFlaw(server.chain(), encrypted, "--tls-key: " + encrypted + " is encrypted");
    }

    @Test
    void aKeyInAnOlderFormThatIsCutOffIsRefused() throws Exception {
        Path cut = folder.resolve("cut.key");
        convert(cut, "ec");
        Files.writeString(cut, Files.readString(cut).replaceFirst("(?s)\n(.{40}).*?\n-----END", "\n$1\n-----END"));

        assertFlaw(server.chain(), cut, "--tls-key: " + cut + " holds an EC key that is damaged");
    }

    @Test
    void aKeyThatNobodySpeaksIsRefused() throws Exception {
        Path ed25519 = folder.resolve("ed25519.key");
        TestAuthority.openssl(List.of("genpkey", "-algorithm", "ed25519", "-out", ed25519.toString()));

        assertFlaw(
                server.chain(), ed25519, "--tls-key: " + ed25519 + " holds a private key that is neither RSA nor EC");
    }

    @Test
    void anExpiredCertificateIsRefused() {
        assertFlaw(
                server.chain(),
                server.key(),
                now.plus(Duration.ofDays(31)),
                "--tls-cert: " + server.chain() + " holds a certificate that expired at ");
    }

    @Test
    void aCertificateOfTheFutureIsRefused() {
        assertFlaw(
                server.chain(),
                server.key(),
                now.minus(Duration.ofDays(1)),
                "--tls-cert: " + server.chain() + " holds a certificate that is valid only from ");
    }

    private static TlsIdentity identity(Path chain, Path key, Instant now) throws BadPemException {
        TlsFiles files = new TlsFiles(new PemFile("--tls-cert", chain), new PemFile("--tls-key", key), null);
        return Objects.requireNonNull(files.read(now).identity());
    }

    private static void assertFlaw(Path chain, Path key, String flaw) {
        assertFlaw(chain, key, now, flaw);
    }

    private static void assertFlaw(Path chain, Path key, Instant at, String flaw) {
        assertThatExceptionOfType(BadPemException.class)
                .isThrownBy(() -> identity(chain, key, at))
                .satisfies(e -> assertThat(e.flaw()).startsWith(flaw));
    }

    /** The server's key as openssl writes it when told so. */
    private static void convert(Path to, String... command) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("-in", server.key().toString(), "-out", to.toString()));
        TestAuthority.openssl(arguments);
    }

    private static Issued selfSigned(String name, String algorithm) throws IOException {
        Issued issued = new Issued(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
        List<String> command = new ArrayList<>(List.of("req", "-x509", "-nodes", "-subj", "/CN=" + name));
        command.addAll(List.of("-newkey", algorithm, "-out", issued.chain().toString()));
        command.addAll(List.of("-keyout", issued.key().toString()));
        TestAuthority.openssl(command);
        return issued;
    }
}
