package dev.kvstore.endtoend;

import java.util.ArrayList;
import java.util.List;

/** The commands of a line of shell, as words. Knows quotes, comments, pipes and {@code $(...)}. Stateless. */
final class ShellWords {
    private static final String ENDS = "|&;()<>";

    private ShellWords() {}

    /** The commands of a line, those in {@code $(...)} among them, each without what is assigned before it. */
    static List<List<String>> commands(String line) {
        List<List<String>> commands = new ArrayList<>();
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != '\'' && line.startsWith("$(", i)) {
                int end = closing(line, i + 2);
                commands.addAll(commands(line.substring(i + 2, end)));
                word.append('$');
                inWord = true;
                i = end;
            } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
                quote = quote != 0 ? 0 : c;
                inWord = true;
            } else if (quote == 0 && c == '#' && !inWord) {
                break;
            } else if (quote == 0 && (Character.isWhitespace(c) || ENDS.indexOf(c) >= 0)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
                if (!Character.isWhitespace(c)) {
                    finish(commands, words);
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        finish(commands, words);
        return commands;
    }

    /** Where the bracket is closed that was opened before an index; the end if it is not. */
    private static int closing(String line, int from) {
        int open = 1;
        for (int i = from; i < line.length(); i++) {
            open += line.charAt(i) == '(' ? 1 : line.charAt(i) == ')' ? -1 : 0;
            if (open == 0) {
                return i;
            }
        }
        return line.length();
    }

    private static void finish(List<List<String>> commands, List<String> words) {
        List<String> command =
                words.stream().dropWhile(word -> word.matches("export|\\w+=.*")).toList();
        if (!command.isEmpty()) {
            commands.add(command);
        }
        words.clear();
    }
}
