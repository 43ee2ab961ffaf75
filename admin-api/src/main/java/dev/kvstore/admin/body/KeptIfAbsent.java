package dev.kvstore.admin.body;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a field of a body: a PUT that leaves the field out keeps the resource's value. So a PATCH that sets the field to
 * null needs the value that it means.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface KeptIfAbsent {
    /** The value of a new resource, as JSON that a PUT takes. */
    String initially();
}
