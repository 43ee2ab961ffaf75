package dev.kvstore.protocol.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsRotationTest {
    private static final TlsRotation.RotationOutcome UNCHANGED = new TlsRotation.UnchangedFiles();
    private static final TlsRotation.RotationOutcome RENEWED = new TlsRotation.Renewed();

    @TempDir
    Path folder;

    private Issued first;
    private Issued second;
    private Path chain;
    private Path key;

    @BeforeEach
    void issue() throws IOException {
        TestAuthority authority = new TestAuthority(folder, "authority");
        first = authority.issue("first");
        second = authority.issue("second");
        chain = folder.resolve("tls.crt");
        key = folder.resolve("tls.key");
    }

    @Test
    void filesThatStayTheSameChangeNothing() throws Exception {
        copy(first);
        TlsRotation<String> rotation = follow();

        assertThat(rotation.poll()).isEqualTo(UNCHANGED);
        assertThat(rotation.current()).isEqualTo("CN=first");
    }

    @Test
    void aPairWrittenInPlaceIsPutToUseEvenIfItsTimeSaysItIsOld() throws Exception {
        copy(first);
        FileTime time = Files.getLastModifiedTime(chain);
        TlsRotation<String> rotation = follow();
        copy(second);
        Files.setLastModifiedTime(chain, time);
        Files.setLastModifiedTime(key, time);

        assertThat(rotation.poll()).isEqualTo(RENEWED);
        assertThat(rotation.current()).isEqualTo("CN=second");
        assertThat(rotation.poll()).isEqualTo(UNCHANGED);
    }

    @Test
    void aLinkThatPointsElsewhereIsFollowedAsKubernetesSwapsSecrets() throws Exception {
        Path data = mount(first, "..2026_01");
        Path link = Files.createSymbolicLink(folder.resolve("..data"), data);
        Files.createSymbolicLink(chain, Path.of("..data/tls.crt"));
        Files.createSymbolicLink(key, Path.of("..data/tls.key"));
        TlsRotation<String> rotation = follow();

        Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), mount(second, "..2026_02"));
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);

        assertThat(rotation.poll()).isEqualTo(RENEWED);
        assertThat(rotation.current()).isEqualTo("CN=second");
    }

    @Test
    void aKeyThatDoesNotMatchIsToldOnceAndTheOldPairStays() throws Exception {
        copy(first);
        TlsRotation<String> rotation = follow();
        Files.copy(second.key(), key, StandardCopyOption.REPLACE_EXISTING);

        assertThat(rotation.poll())
                .isInstanceOfSatisfying(
                        TlsRotation.RefusedFiles.class,
                        refused -> assertThat(refused.flaw())
                                .startsWith("key: " + key + " is not the key of the certificate in " + chain));
        assertThat(rotation.poll()).isEqualTo(UNCHANGED);
        assertThat(rotation.current()).isEqualTo("CN=first");
    }

    @Test
    void garbageIsToldOnceAndTheOldPairStays() throws Exception {
        copy(first);
        TlsRotation<String> rotation = follow();
        Files.writeString(chain, "garbage");

        assertThat(rotation.poll()).isInstanceOf(TlsRotation.RefusedFiles.class);
        assertThat(rotation.poll()).isEqualTo(UNCHANGED);
        assertThat(rotation.current()).isEqualTo("CN=first");
    }

    @Test
    void aMissingFileIsToldOnceAndToldAgainWhenItGoesASecondTime() throws Exception {
        copy(first);
        TlsRotation<String> rotation = follow();
        Files.delete(key);

        assertThat(rotation.poll()).isEqualTo(new TlsRotation.RefusedFiles("key: " + key + " does not exist"));
        assertThat(rotation.poll()).isEqualTo(UNCHANGED);
        Files.copy(first.key(), key);
        assertThat(rotation.poll()).isEqualTo(UNCHANGED);
        Files.delete(key);
        assertThat(rotation.poll()).isInstanceOf(TlsRotation.RefusedFiles.class);
    }

    @Test
    void aPairThatIsCompletedAfterItWasRefusedIsPutToUse() throws Exception {
        copy(first);
        TlsRotation<String> rotation = follow();
        Files.copy(second.chain(), chain, StandardCopyOption.REPLACE_EXISTING);
        assertThat(rotation.poll()).isInstanceOf(TlsRotation.RefusedFiles.class);

        Files.copy(second.key(), key, StandardCopyOption.REPLACE_EXISTING);

        assertThat(rotation.poll()).isEqualTo(RENEWED);
        assertThat(rotation.current()).isEqualTo("CN=second");
    }

    private TlsRotation<String> follow() throws BadPemException {
        return new TlsRotation<>(
                new TlsFiles(new PemFile("cert", chain), new PemFile("key", key), null),
                InstantSource.system(),
                material -> Objects.requireNonNull(material.identity()).name());
    }

    private void copy(Issued issued) throws IOException {
        Files.copy(issued.chain(), chain, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(issued.key(), key, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path mount(Issued issued, String name) throws IOException {
        Path data = Files.createDirectory(folder.resolve(name));
        Files.copy(issued.chain(), data.resolve("tls.crt"));
        Files.copy(issued.key(), data.resolve("tls.key"));
        return data;
    }
}
