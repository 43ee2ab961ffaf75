package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** The endpoints of folders. */
class FolderEndpointTest {
    @Test
    void plainCharactersStayAndAllOthersAreEncoded() {
        assertThat(AccountStorage.Filesystem.encoded("/a/Z-0._~!$&'()*+,;=:@")).isEqualTo("/a/Z-0._~!$&'()*+,;=:@");
        assertThat(AccountStorage.Filesystem.encoded("/a b%ü#?")).isEqualTo("/a%20b%25%C3%BC%23%3F");
    }

    @Property(tries = 500)
    void aPathComesBackFromItsUrlAsItWas(@ForAll @StringLength(max = 40) String text) {
        // A half of a surrogate pair is no character.
        String path = "/"
                + text.codePoints()
                        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);

        String url = "file://" + AccountStorage.Filesystem.encoded(path).replaceFirst("^//+", "/");

        assertThat(url).matches("[\\x21-\\x7E]+");
        assertThat(URI.create(url).getPath()).isEqualTo(path.replaceFirst("^//+", "/"));
    }

    @Property(tries = 500)
    void anEndpointThatWasAllowedIsAllowedAgainAndStaysTheSame(@ForAll @StringLength(max = 30) String text) {
        EndpointAllowList list = new EndpointAllowList(Optional.of(List.of("file:///*")), "");
        String path = "/"
                + text.codePoints()
                        .filter(c -> c > ' ' && c < 0x7F && c != '/' && c != '.')
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                + "x";

        String once = list.allowed("endpoint", "file://" + AccountStorage.Filesystem.encoded(path));

        assertThat(list.allowed("endpoint", once)).isEqualTo(once);
        assertThat(new AccountStorage.Filesystem(new StorageRow(once, "", "", false)).path())
                .isEqualTo(path);
    }
}
