package dev.kvstore.launcher.numa;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Numbers of CPUs or nodes, in the form of Linux: {@code 0-3,8-11}, or an empty text for none. Immutable.
 *
 * @param numbers ascending, each once, 0 to 65535
 */
public record RangeList(List<Integer> numbers) {
    /** The empty list. */
    public static final RangeList NONE = new RangeList(List.of());

    // Linux knows at most 8192 CPUs (CONFIG_NR_CPUS); a text with larger numbers is no such list.
    private static final int MOST = 65_535;

    public RangeList {
        numbers = List.copyOf(new TreeSet<>(numbers));
    }

    /**
     * Reads a list; blanks and line ends around the list and its parts are ignored.
     *
     * @throws IllegalArgumentException if the text is no list
     */
    public static RangeList parse(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        List<Integer> numbers = new ArrayList<>();
        for (String range : text.split(",", -1)) {
            String[] ends = range.strip().split("-", -1);
            int first = number(ends[0], text);
            int last = ends.length == 1 ? first : number(ends[1], text);
            if (ends.length > 2 || last < first) {
                throw noList(text);
            }
            IntStream.rangeClosed(first, last).forEach(numbers::add);
        }
        return new RangeList(numbers);
    }

    private static int number(String digits, String text) {
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > MOST) {
            throw noList(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException noList(String text) {
        return new IllegalArgumentException("\"" + text.strip() + "\" is no list such as 0-3,8-11");
    }

    /** The numbers that both lists have. */
    public RangeList and(RangeList other) {
        return new RangeList(numbers.stream().filter(other.numbers::contains).toList());
    }

    public boolean contains(int number) {
        return numbers.contains(number);
    }

    public boolean isEmpty() {
        return numbers.isEmpty();
    }

    /** The list in the form of Linux. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < numbers.size(); ) {
            int first = at;
            while (at + 1 < numbers.size() && numbers.get(at + 1) == numbers.get(at) + 1) {
                at++;
            }
            text.append(first == 0 ? "" : ",").append(numbers.get(first));
            if (at > first) {
                text.append('-').append(numbers.get(at));
            }
            at++;
        }
        return text.toString();
    }
}
