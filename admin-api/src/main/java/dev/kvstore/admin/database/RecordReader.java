package dev.kvstore.admin.database;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows as records: a component {@code endsAt} has the column {@code ends_at}. Columns may be texts, numbers,
 * flags, ids, bytes, times, names of enums, and arrays of texts. A component that is a record is read from the columns
 * of its own components in the same row. Thread-safe.
 */
final class RecordReader {
    private static final ClassValue<RecordReader> READERS = new ClassValue<>() {
        @Override
        protected RecordReader computeValue(Class<?> type) {
            return new RecordReader(type);
        }
    };

    /** The column of a result that has only one. */
    private static final int ONLY_COLUMN = 1;

    private record RecordColumn(String name, String column, Class<?> type, Method accessor) {
        static RecordColumn of(RecordComponent component) {
            component.getAccessor().setAccessible(true);
            return new RecordColumn(
                    component.getName(),
                    component
                            .getName()
                            .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
                            .toLowerCase(Locale.ROOT),
                    component.getType(),
                    component.getAccessor());
        }
    }

    private final List<RecordColumn> columns;
    private final Constructor<?> constructor;

    private RecordReader(Class<?> type) {
        columns = Stream.of(type.getRecordComponents()).map(RecordColumn::of).toList();
        try {
            constructor = type.getDeclaredConstructor(
                    columns.stream().map(RecordColumn::type).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
        constructor.setAccessible(true);
    }

    /** The components of a record, by name. */
    static Map<String, @Nullable Object> values(Record of) {
        Map<String, @Nullable Object> values = new HashMap<>();
        for (RecordColumn column : READERS.get(of.getClass()).columns) {
            values.put(column.name(), call(() -> column.accessor().invoke(of)));
        }
        return values;
    }

    /** A row as a record; or its only column, if the type is not a record's. */
    static <T> @Nullable T read(ResultSet row, Class<T> type) throws SQLException {
        return type.isRecord() ? type.cast(READERS.get(type).read(row)) : type.cast(column(row, ONLY_COLUMN, type));
    }

    private Object read(ResultSet row) throws SQLException {
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            RecordColumn column = columns.get(i);
            values[i] = column.type().isRecord()
                    ? READERS.get(column.type()).read(row)
                    : column(row, row.findColumn(column.column()), column.type());
            if (values[i] == null && column.type().isPrimitive()) {
                throw new IllegalStateException("the column " + column.column() + " is null");
            }
        }
        return call(() -> constructor.newInstance(values));
    }

    private static @Nullable Object column(ResultSet row, int column, Class<?> type) throws SQLException {
        Object value = value(row, column, type);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Object value(ResultSet row, int column, Class<?> type) throws SQLException {
        if (type.isEnum()) {
            String name = row.getString(column);
            return name == null
                    ? null
                    : Stream.of(type.getEnumConstants())
                            .filter(word -> ((Enum<?>) word).name().equals(name))
                            .findFirst()
                            .orElseThrow(() -> new IllegalStateException(type + " has no " + name));
        }
        return switch (type.getName()) {
            case "java.lang.String" -> row.getString(column);
            case "int", "java.lang.Integer" -> row.getInt(column);
            case "long", "java.lang.Long" -> row.getLong(column);
            case "double", "java.lang.Double" -> row.getDouble(column);
            case "boolean", "java.lang.Boolean" -> row.getBoolean(column);
            case "java.util.UUID" -> row.getObject(column, UUID.class);
            case "[B" -> row.getBytes(column);
            case "java.time.Instant" -> instant(row, column);
            case "java.util.List" -> texts(row, column);
            default -> throw new IllegalArgumentException("no column is read as " + type);
        };
    }

    static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable List<String> texts(ResultSet row, int column) throws SQLException {
        Array texts = row.getArray(column);
        return texts == null ? null : List.of((String[]) texts.getArray());
    }

    /** A call by reflection. */
    @FunctionalInterface
    private interface ReflectiveCall<T> {
        T run() throws ReflectiveOperationException;
    }

    private static <T> T call(ReflectiveCall<T> call) {
        try {
            return call.run();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
