package dev.kvstore.dataplane.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What people are told of a setting that is no flag alone; its values are held to the range. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Described {
    /** What the setting bounds or is for, as sentences. */
    String bounds();

    /** What a user sees when the bound is reached, as sentences; empty if it bounds nothing. */
    String reached() default "";

    /** The least value; empty if the setting is a path or a list. */
    String least() default "";

    /** The largest value; empty if the setting is a path or a list. */
    String most() default "";

    /** What holds if nobody gives the setting, where {@code WithDefault} says nothing. */
    String unset() default "none";
}
