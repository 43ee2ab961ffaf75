package dev.kvstore.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the flags of a command that a {@link FirstLook} shows, if there is no room for all. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface FirstFlags {
    /** Names such as {@code --port}, in any order; the help keeps the command's own order. */
    String[] value();
}
