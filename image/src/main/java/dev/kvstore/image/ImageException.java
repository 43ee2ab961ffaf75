package dev.kvstore.image;

/** An image cannot be built or pushed; the message is a sentence that says the way out. */
final class ImageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ImageException(String message) {
        super(message);
    }

    ImageException(String message, Exception cause) {
        super(message, cause);
    }
}
