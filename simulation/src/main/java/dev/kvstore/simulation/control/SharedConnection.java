package dev.kvstore.simulation.control;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * Gives one connection to all callers, as a container does within a transaction. A caller's {@code close} does nothing.
 */
final class SharedConnection {
    private SharedConnection() {}

    static DataSource of(Connection connection) {
        Connection shared = (Connection) Proxy.newProxyInstance(
                SharedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(
                SharedConnection.class.getClassLoader(), new Class<?>[] {DataSource.class}, (_, method, _) -> {
                    if (method.getName().equals("getConnection")) {
                        return shared;
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }
}
