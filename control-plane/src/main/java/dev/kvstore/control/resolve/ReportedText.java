package dev.kvstore.control.resolve;

import dev.kvstore.admin.name.PlainText;

/** Texts that data planes report and callers read, on terminals too. Stateless. */
public final class ReportedText {
    private ReportedText() {}

    /** The first characters of a text, with {@code ?} in place of each character that {@link PlainText} refuses. */
    public static String of(String said, int most) {
        return PlainText.cleaned(said.substring(0, Math.min(most, said.length())));
    }
}
