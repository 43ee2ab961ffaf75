package dev.kvstore.launcher.stack;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A token that makes its bearer a data plane of one cluster: {@code kvj_<id>_<secret>}, as a control plane made it.
 *
 * @param text the whole token
 */
record JoinToken(String text) {
    private static final Pattern FORM = Pattern.compile("kvj_([a-z0-9]{12})_[A-Za-z0-9_-]{43}");

    /**
     * @throws IllegalArgumentException if the text is no token
     */
    JoinToken {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not a join token: it has the form kvj_<id>_<43 characters>");
        }
    }

    /** The id by which an admin names it. */
    String id() {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalStateException("the constructor lets no other text in");
        }
        return matcher.group(1);
    }

    /** The text without the secret, for logs. */
    @Override
    public String toString() {
        return "kvj_" + id();
    }
}
