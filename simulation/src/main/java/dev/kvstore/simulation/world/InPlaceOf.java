package dev.kvstore.simulation.world;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls of a method of the JDK come here instead. The method has the same name. Of a static method it has the same
 * parameters; of another one, the object before them. A class is made in place of objects of another one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface InPlaceOf {
    /** The class of the JDK whose method, or whose objects. */
    Class<?> value();
}
