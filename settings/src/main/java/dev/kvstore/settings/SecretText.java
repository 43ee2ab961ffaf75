package dev.kvstore.settings;

/** The one rule by which programs read secrets from variables and files. Stateless. */
public final class SecretText {
    private SecretText() {}

    /**
     * A secret as a variable or a file holds it: spaces and line ends around it are none of it, since editors, shells
     * and Kubernetes add them. Nothing in it is replaced.
     */
    public static String of(String text) {
        return text.strip();
    }
}
