package dev.kvstore.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The flags of a command that a {@link FirstLook} shows, where all of them do not fit. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface FirstFlags {
    /** Names such as {@code --port}, in any order: the command's own is kept. */
    String[] value();
}
