package dev.kvstore.dataplane.server.settings;

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
@interface Described {
    /** The purpose of the setting, or its bound, as sentences. */
    String bounds();

    /** The effect that a user sees when the bound is reached, as sentences; empty if the setting bounds nothing. */
    String reached() default "";

    /** The least value; empty if the setting is a path or a list. */
    String least() default "";

    /** The largest value; empty if the setting is a path or a list. */
    String most() default "";

    /** The default of the setting, where {@code WithDefault} says nothing. */
    String unset() default "none";
}
