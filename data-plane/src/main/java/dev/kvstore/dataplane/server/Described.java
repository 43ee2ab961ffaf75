package dev.kvstore.dataplane.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The description of a setting that is not only a flag; its values must be within the range. */
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
