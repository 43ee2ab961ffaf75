package dev.kvstore.admin.repeat;

import dev.kvstore.admin.caller.Realm;
import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a resource class whose methods make each change in one transaction: a failed transaction has changed nothing,
 * so the method may run again.
 */
@Inherited
@InterceptorBinding
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface SafeToRepeat {
    /** The part of the registry that the class's POSTs change. */
    @Nonbinding
    Realm value();
}
