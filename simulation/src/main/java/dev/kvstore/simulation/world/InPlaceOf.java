package dev.kvstore.simulation.world;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method or class that replaces one of the JDK. A method has the name and the parameters of the replaced
 * method; if that method is not static, its object is the first parameter. Objects of a class are made in place of
 * objects of the replaced class.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface InPlaceOf {
    /** The class of the JDK whose method is replaced, or whose objects are. */
    Class<?> value();
}
