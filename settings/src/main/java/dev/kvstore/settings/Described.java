package dev.kvstore.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The description of a setting that an operator gives by its name, as a variable or property. A setting without this is
 * given by a flag alone. Values must be within the range.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Described {
    /** The purpose of the setting, or its bound, as sentences. */
    String bounds();

    /** The effect that a user sees when the bound is reached, as sentences; empty if the setting bounds nothing. */
    String reached() default "";

    /** The least value; empty if values have no order. */
    String least() default "";

    /** The largest value; empty if there is none but that of the Java type. */
    String most() default "";

    /** The default of the setting, where {@code WithDefault} says nothing. */
    String unset() default "none";

    /** The type in a word, where that does not follow from the Java type. */
    String type() default "";

    /** The form of a value, for errors, where that does not follow from the Java type. */
    String form() default "";
}
