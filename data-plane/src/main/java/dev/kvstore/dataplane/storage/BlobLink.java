package dev.kvstore.dataplane.storage;

import java.net.URI;

/**
 * A link by which another storage can read one blob by itself, for some minutes. Its bearer can read the blob, so it is
 * in no text and is kept nowhere.
 *
 * @param url with its signature
 */
public record BlobLink(URI url) {
    @Override
    public String toString() {
        return "BlobLink[url=hidden]";
    }
}
