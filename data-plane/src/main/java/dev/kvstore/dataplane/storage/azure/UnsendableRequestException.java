package dev.kvstore.dataplane.storage.azure;

/** A request that cannot be written as HTTP. Quotes nothing of it, and has no cause: the URL may hold a credential. */
public final class UnsendableRequestException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnsendableRequestException(String host) {
        super("the URL or a header of a request to \"" + host + "\" is none of HTTP");
    }
}
