package dev.kvstore.dataplane.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BlobNameTest {
    private static final Path ROOT = Path.of("/somewhere/blobs");

    @Property
    void everyNameStaysBelowTheRootAsItIsWritten(@ForAll("names") String name) {
        assertThat(ROOT.resolve(BlobName.require(name)).normalize().toString()).isEqualTo(ROOT + "/" + name);
    }

    @Property
    void everyBeginningOfANameIsAPrefix(@ForAll("names") String name, @ForAll int cut) {
        assertThatCode(() -> BlobName.requirePrefix(name.substring(0, Math.floorMod(cut, name.length() + 1))))
                .doesNotThrowAnyException();
    }

    @Property
    void whateverIsAcceptedStaysBelowTheRoot(@ForAll("likeNames") String text) {
        try {
            BlobName.require(text);
        } catch (IllegalArgumentException e) {
            Assume.that(false);
        }
        assertThat(ROOT.resolve(text).normalize().toString()).isEqualTo(ROOT + "/" + text);
    }

    @Property
    void aCharacterOutsideTheAlphabetIsRejected(@ForAll("names") String name, @ForAll char c, @ForAll int at) {
        Assume.that("abcdefghijklmnopqrstuvwxyz0123456789._-/".indexOf(c) < 0);
        String bad = new StringBuilder(name)
                .insert(Math.floorMod(at, name.length() + 1), c)
                .toString();
        assertThatIllegalArgumentException().isThrownBy(() -> BlobName.require(bad));
        assertThatIllegalArgumentException().isThrownBy(() -> BlobName.requirePrefix(bad));
    }

    @Property
    void aSegmentOfDotsIsRejected(@ForAll("names") String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> BlobName.require("../" + name));
        assertThatIllegalArgumentException().isThrownBy(() -> BlobName.require(name + "/.."));
        assertThatIllegalArgumentException().isThrownBy(() -> BlobName.requirePrefix(name + "/../"));
    }

    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> segment = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('0', '9')
                .withChars("._-")
                .ofMinLength(1)
                .ofMaxLength(100)
                .filter(s -> !s.endsWith("."));
        return segment.list().ofMinSize(1).ofMaxSize(5).map(segments -> String.join("/", segments));
    }

    @Provide
    Arbitrary<String> likeNames() {
        return Arbitraries.strings().withChars("a.0-/").ofMinLength(1).ofMaxLength(8);
    }
}
