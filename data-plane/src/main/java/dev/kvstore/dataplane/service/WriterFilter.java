package dev.kvstore.dataplane.service;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.protocol.format.BlockHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The keys whose blocks a reader accepts. Immutable.
 *
 * @param keyIds in ASCII, as stored headers have them; empty for any writer
 */
record WriterFilter(Set<ByteBuffer> keyIds) {
    static final WriterFilter ANY = new WriterFilter(Set.of());

    /** Most keys of one call. They are kept for as long as the stream lives. */
    static final int MOST = 16;

    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /** The keys that a request names. */
    static WriterFilter of(List<String> names) throws CallRefusal {
        if (names.isEmpty()) {
            return ANY;
        }
        if (names.size() > MOST) {
            throw CallRefusal.invalid("writers", names.size() + " are more than the limit of " + MOST);
        }
        for (String name : names) {
            if (!KEY_ID.matcher(name).matches()) {
                throw CallRefusal.invalid("writers", "each must be the id of a key: 1 to 64 letters, digits and '-'");
            }
        }
        return new WriterFilter(names.stream()
                .map(name -> ByteBuffer.wrap(name.getBytes(US_ASCII)).asReadOnlyBuffer())
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether one of these keys wrote a block. */
    boolean include(BlockHeader header) {
        return keyIds.isEmpty() || keyIds.contains(header.keyIdBytes());
    }
}
