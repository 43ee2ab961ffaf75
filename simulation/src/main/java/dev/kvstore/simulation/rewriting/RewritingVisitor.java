package dev.kvstore.simulation.rewriting;

import dev.kvstore.simulation.world.Randomness;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Leads calls, references to methods, and constructors of a class to their substitutes. */
final class RewritingVisitor extends ClassVisitor {
    /** Final classes that begin with a number of their own unless they are given one. */
    private static final Set<String> SEEDED = Set.of("java/util/SplittableRandom", "java/util/Random");

    private static final String RANDOMNESS = Type.getInternalName(Randomness.class);

    private final Substitutes substitutes;
    private String rewritten = "";
    private @Nullable String superclass;

    RewritingVisitor(ClassVisitor next, Substitutes substitutes) {
        super(Opcodes.ASM9, next);
        this.substitutes = substitutes;
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String parent,
            String @Nullable [] interfaces) {
        rewritten = name;
        superclass = parent;
        super.visit(version, access, name, signature, parent, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        return new LedCalls(super.visitMethod(access, name, descriptor, signature, exceptions));
    }

    private final class LedCalls extends MethodVisitor {
        LedCalls(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (opcode == Opcodes.INVOKESPECIAL) {
                constructed(owner, name, descriptor, isInterface);
                return;
            }
            boolean isStatic = opcode == Opcodes.INVOKESTATIC;
            Substitutes.Substitute substitute = substitutes.of(owner, name, descriptor, isStatic);
            if (substitute == null) {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                return;
            }
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, substitute.owner(), substitute.name(), substitute.descriptor(), false);
            String wanted = Type.getReturnType(descriptor).getInternalName();
            if (!wanted.equals(Type.getReturnType(substitute.descriptor()).getInternalName())) {
                super.visitTypeInsn(Opcodes.CHECKCAST, wanted);
            }
        }

        private void constructed(String owner, String name, String descriptor, boolean isInterface) {
            // A constructor's call of another constructor, of its class or of the parent class, makes no object.
            boolean isMade = !owner.equals(rewritten) && !owner.equals(superclass);
            String made = isMade ? substitutes.inPlaceOf(owner, rewritten) : null;
            if (name.equals("<init>") && made != null) {
                super.visitMethodInsn(Opcodes.INVOKESPECIAL, made, name, descriptor, isInterface);
            } else if (name.equals("<init>") && descriptor.equals("()V") && isMade && SEEDED.contains(owner)) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, RANDOMNESS, "seed", "()J", false);
                super.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, name, "(J)V", isInterface);
            } else {
                super.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, name, descriptor, isInterface);
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            String made = opcode == Opcodes.NEW ? substitutes.inPlaceOf(type, rewritten) : null;
            super.visitTypeInsn(opcode, made == null ? type : made);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            String read = opcode == Opcodes.GETSTATIC ? substitutes.fieldInPlaceOf(owner, rewritten) : null;
            if (read == null) {
                super.visitFieldInsn(opcode, owner, name, descriptor);
            } else {
                super.visitFieldInsn(opcode, read, name, "L" + read + ";");
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            Object[] led = new Object[arguments.length];
            for (int i = 0; i < led.length; i++) {
                led[i] = led(arguments[i]);
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, led);
        }

        @Override
        public void visitLdcInsn(Object value) {
            super.visitLdcInsn(value instanceof ConstantDynamic ? value : led(value));
        }

        private Object led(Object constant) {
            if (constant instanceof Type type && type.getSort() == Type.OBJECT) {
                String made = substitutes.namedInPlaceOf(type.getInternalName());
                return made == null ? constant : Type.getObjectType(made);
            }
            if (!(constant instanceof Handle handle)) {
                return constant;
            }
            boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
            if (!isStatic
                    && handle.getTag() != Opcodes.H_INVOKEVIRTUAL
                    && handle.getTag() != Opcodes.H_INVOKEINTERFACE) {
                return constant;
            }
            Substitutes.Substitute substitute =
                    substitutes.of(handle.getOwner(), handle.getName(), handle.getDesc(), isStatic);
            return substitute == null
                    ? constant
                    : new Handle(
                            Opcodes.H_INVOKESTATIC,
                            substitute.owner(),
                            substitute.name(),
                            substitute.descriptor(),
                            false);
        }
    }
}
