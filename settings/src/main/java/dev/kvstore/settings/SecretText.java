package dev.kvstore.settings;

/** The one rule by which programs read secrets from variables and files. Stateless. */
public final class SecretText {
    private SecretText() {}

    /**
     * The secret in the text of a variable or a file: without the spaces and line ends around it, which editors, shells
     * and Kubernetes add. The rest stays unchanged.
     */
    public static String of(String text) {
        return text.strip();
    }
}
