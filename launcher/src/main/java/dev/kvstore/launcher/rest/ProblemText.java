package dev.kvstore.launcher.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Formats a problem document of RFC 9457 in a line, or in two if it names fields that its detail does not. */
final class ProblemText {
    private static final int UNAUTHENTICATED = 401;

    private ProblemText() {}

    /** @param body the document; missing, or any other JSON, if the server knows no problem documents */
    static String of(int status, JsonNode body) {
        String title = body.path("title").asText("the control plane answered with HTTP status " + status);
        String detail = body.path("detail").asText("");
        StringBuilder text = new StringBuilder(detail.isEmpty() ? title : title + ": " + detail);
        if (status == UNAUTHENTICATED) {
            text.append(
                    " (is the token that of this control plane? It comes from --token-file, from KVSTORE_ADMIN_TOKEN,"
                            + " or from the folder of kv up)");
        }
        List<String> unsaid = body.path("errors")
                .valueStream()
                .map(error -> error.path("field").asText() + " "
                        + error.path("detail").asText())
                .filter(error -> !detail.contains(error))
                .toList();
        if (!unsaid.isEmpty()) {
            text.append("\n    ").append(String.join("; ", unsaid));
        }
        return text.toString();
    }
}
