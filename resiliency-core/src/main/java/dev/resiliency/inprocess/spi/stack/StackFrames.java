package dev.resiliency.inprocess.spi.stack;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The frames of a stack, as texts without the names of modules and class loaders: {@code LogReg.fault(LogReg.java:71)}. */
public final class StackFrames {
    private static final int SHOWN = 5;
    private static final int LONGEST = 160;

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");
    private static final List<String> LIBRARIES = List.of(
            "io.netty.",
            "org.bytedeco.",
            "dev.resiliency.inprocess.",
            "dev.resiliency.state.",
            "dev.resiliency.store.",
            "dev.resiliency.monitor.",
            "dev.resiliency.pytorch.",
            "dev.resiliency.xgboost.",
            "dev.resiliency.nccl.");

    private StackFrames() {}

    /** Returns whether it is a method or a class of the JDK. */
    public static boolean isOfTheJdk(String method) {
        return JDK.stream().anyMatch(method::startsWith);
    }

    /** Returns whether it is a method of the program, and none of the JDK, of this library, or of one that it communicates with. */
    static boolean isOfTheProgram(String method) {
        return !isOfTheJdk(method) && LIBRARIES.stream().noneMatch(method::startsWith);
    }

    /** Returns a frame, as this library, the JVM or a thread dump writes it, without what is before the class. */
    static String withoutModule(String frame) {
        int end = frame.indexOf('(');
        return frame.substring(frame.lastIndexOf('/', end < 0 ? frame.length() : end) + 1);
    }

    /** Returns the name of the method with its class. */
    static String methodOf(String frame) {
        String text = withoutModule(frame);
        int end = text.indexOf('(');
        return end < 0 ? text : text.substring(0, end);
    }

    static List<String> methodsOf(List<String> frames) {
        return frames.stream().map(StackFrames::methodOf).toList();
    }

    /** Returns the innermost frame, and then those of the program and its libraries: a wait of the JDK has many frames of its own. */
    public static List<String> notable(StackTraceElement[] stack) {
        return Stream.concat(
                        Arrays.stream(stack).limit(1),
                        Arrays.stream(stack).skip(1).filter(StackFrames::isNotable))
                .map(frame -> withoutModule(frame.toString()))
                .map(frame -> frame.substring(0, Math.min(frame.length(), LONGEST)))
                .limit(SHOWN)
                .toList();
    }

    /** Lambdas have a class that nobody has written. */
    private static boolean isNotable(StackTraceElement frame) {
        String type = frame.getClassName();
        return !isOfTheJdk(type) && !type.startsWith("dev.resiliency.inprocess.internal.") && !type.contains("/");
    }

    /** Returns the innermost frame of the program; of another one if there is none; empty if there are no frames. */
    public static String place(List<String> frames) {
        return frames.stream()
                .filter(frame -> isOfTheProgram(methodOf(frame)))
                .findFirst()
                .orElse(frames.isEmpty() ? "" : frames.get(0));
    }

    /** Returns a frame in short: {@code LogReg.fault:71}. */
    public static String brief(String frame) {
        String method = methodOf(frame);
        int name = method.lastIndexOf('.');
        int type = method.lastIndexOf('.', name - 1);
        int line = frame.lastIndexOf(':');
        return method.substring(type + 1)
                + (line < 0 ? "" : frame.substring(line).replace(")", ""));
    }
}
