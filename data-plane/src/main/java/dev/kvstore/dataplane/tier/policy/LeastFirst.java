package dev.kvstore.dataplane.tier.policy;

import java.util.Arrays;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Things by a number each, the least first: a binary heap without an object per entry. Not thread-safe. */
final class LeastFirst<T> {
    private double[] numbers = new double[16];
    private @Nullable Object[] things = new Object[16];
    private int size;

    int size() {
        return size;
    }

    void clear() {
        Arrays.fill(things, 0, size, null);
        size = 0;
    }

    /** The same thing may be in here several times. */
    void add(double number, T thing) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
            things = Arrays.copyOf(things, 2 * size);
        }
        int place = size++;
        while (place > 0 && numbers[(place - 1) / 2] > number) {
            move((place - 1) / 2, place);
            place = (place - 1) / 2;
        }
        put(place, number, thing);
    }

    /** The least number; infinite if there is none. */
    double least() {
        return size == 0 ? Double.POSITIVE_INFINITY : numbers[0];
    }

    /** What has the least number. */
    @SuppressWarnings("unchecked")
    T peek() {
        Object first = things[0];
        if (size == 0 || first == null) {
            throw new NoSuchElementException("nothing is here");
        }
        return (T) first;
    }

    T poll() {
        T first = peek();
        size--;
        double number = numbers[size];
        Object last = things[size];
        things[size] = null;
        if (size > 0) {
            sink(number, last);
        }
        return first;
    }

    private void sink(double number, @Nullable Object thing) {
        int place = 0;
        for (int child = 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && numbers[child + 1] < numbers[child]) {
                child++;
            }
            if (numbers[child] >= number) {
                break;
            }
            move(child, place);
            place = child;
        }
        put(place, number, thing);
    }

    private void move(int from, int to) {
        put(to, numbers[from], things[from]);
    }

    private void put(int place, double number, @Nullable Object thing) {
        numbers[place] = number;
        things[place] = thing;
    }
}
