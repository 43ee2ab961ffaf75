package dev.kvstore.simulation.rewriting;

import dev.kvstore.simulation.world.Clocks;
import dev.kvstore.simulation.world.HostFiles;
import dev.kvstore.simulation.world.HostThreadPool;
import dev.kvstore.simulation.world.HostThreads;
import dev.kvstore.simulation.world.InPlaceOf;
import dev.kvstore.simulation.world.MapOrders;
import dev.kvstore.simulation.world.Randomness;
import dev.kvstore.simulation.world.SetOrders;
import dev.kvstore.simulation.world.Waits;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/** Which method or class comes in place of which one of the JDK. Immutable. */
final class Substitutes {
    private static final List<Class<?>> CLASSES = List.of(
            Clocks.class,
            HostFiles.class,
            HostThreadPool.class,
            HostThreads.class,
            MapOrders.class,
            Randomness.class,
            SetOrders.class,
            Waits.class);

    /** By name, since both are classes of a library, which only the rewriting loader loads. */
    private static final String WHEEL = "io/netty/util/HashedWheelTimer";

    private static final String ALARMS = "dev/kvstore/simulation/fleet/AlarmTimer";

    /** By name and descriptor, without the object. */
    private final Map<String, List<Substitute>> methods = new HashMap<>();

    /** By the internal name of the class whose objects they are in place of. */
    private final Map<String, String> classes = new HashMap<>();

    /** A static method of ours. */
    record Substitute(Class<?> of, boolean isStatic, Method method) {
        String owner() {
            return Type.getInternalName(method.getDeclaringClass());
        }

        String name() {
            return method.getName();
        }

        String descriptor() {
            return Type.getMethodDescriptor(method);
        }
    }

    Substitutes() {
        classes.put(WHEEL, ALARMS);
        for (Class<?> type : CLASSES) {
            replace(type);
            for (Class<?> made : type.getDeclaredClasses()) {
                replace(made);
            }
            for (Method method : type.getDeclaredMethods()) {
                InPlaceOf place = method.getAnnotation(InPlaceOf.class);
                if (place != null) {
                    add(place.value(), method);
                }
            }
        }
    }

    private void replace(Class<?> made) {
        InPlaceOf place = made.getAnnotation(InPlaceOf.class);
        if (place != null) {
            classes.put(Type.getInternalName(place.value()), Type.getInternalName(made));
        }
    }

    private void add(Class<?> of, Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        boolean isStatic = has(of, method.getName(), parameters);
        Class<?>[] ofCall = isStatic ? parameters : Arrays.copyOfRange(parameters, 1, parameters.length);
        if (!isStatic && !(parameters[0] == of && has(of, method.getName(), ofCall))) {
            throw new IllegalStateException(method + " is in place of nothing in " + of);
        }
        String call = method.getName() + arguments(ofCall);
        methods.computeIfAbsent(call, _ -> new ArrayList<>()).add(new Substitute(of, isStatic, method));
    }

    private static boolean has(Class<?> of, String name, Class<?>[] parameters) {
        try {
            of.getMethod(name, parameters);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static String arguments(Class<?>[] types) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : types) {
            text.append(Type.getDescriptor(type));
        }
        return text.append(')').toString();
    }

    /** What comes in place of a call, or null. */
    @Nullable
    Substitute of(String owner, String name, String descriptor, boolean isStatic) {
        if (!owner.startsWith("java/")) {
            return null;
        }
        String call = name + descriptor.substring(0, descriptor.indexOf(')') + 1);
        for (Substitute substitute : methods.getOrDefault(call, List.of())) {
            if (substitute.isStatic == isStatic && isA(owner, substitute)) {
                return substitute;
            }
        }
        return null;
    }

    private static boolean isA(String owner, Substitute substitute) {
        try {
            Class<?> type = Class.forName(owner.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
            return substitute.isStatic ? type == substitute.of : substitute.of.isAssignableFrom(type);
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** The class whose objects are made in place of another one's: its name, or null. */
    @Nullable
    String inPlaceOf(String type, String maker) {
        String made = classes.get(type);
        return maker.equals(made) ? null : made;
    }
}
