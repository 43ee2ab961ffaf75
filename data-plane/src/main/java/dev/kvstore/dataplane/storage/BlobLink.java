package dev.kvstore.dataplane.storage;

import java.net.URI;

/**
 * A way for another storage to read one blob by itself, for some minutes. Whoever has it can: it shows in no text, and is kept
 * nowhere.
 *
 * @param url with its signature
 */
public record BlobLink(URI url) {
    @Override
    public String toString() {
        return "BlobLink[url=hidden]";
    }
}
