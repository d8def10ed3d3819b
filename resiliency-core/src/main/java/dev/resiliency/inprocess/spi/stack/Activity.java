package dev.resiliency.inprocess.spi.stack;

import java.util.List;
import java.util.function.Predicate;

/**
 * What a rank does whose function makes no progress, by the stack of its thread or as others know. In the order of suspicion: a rank that
 * hangs makes others wait for it.
 */
public enum Activity {
    /** A signal has suspended its process. */
    SUSPENDED("is suspended", false),
    /** Memory has run out in its process. */
    OUT_OF_MEMORY("has run out of memory", false),
    /** It waits for a lock that is never released, since its owner waits for this thread. */
    DEADLOCK("is deadlocked", false),
    /** It runs. */
    NONE("runs", false),
    /** It sleeps, which is no wait for anybody. */
    SLEEP("sleeps", false),
    /** It is in native code that is not of the JDK: it waits there if most ranks are at the same place. */
    NATIVE("is in native code", false),
    /** Its process has shown nothing for so long, as another one has seen: it stands still, or its host is busy. */
    SILENT("has shown no progress", false),
    /** It waits to enter a synchronized block. */
    LOCK("waits for a lock", true),
    /** It waits for another thread. */
    THREAD("waits for another thread", true),
    /** It waits for somebody at the other end of a connection. */
    SOCKET("waits in a socket", true),
    /** It waits for a key of the job's store, which another rank writes. */
    STORE("waits in the store", true),
    /** It waits for other ranks, as the program or its communication library has said. */
    PEERS("waits for other ranks", true);

    /**
     * The frames by which a wait is recognized: the first rule of which one of the frames above the program fulfils the condition. Each
     * matches the start of {@code class.method}.
     */
    private static final List<Rule> RULES = List.of(
            new Rule(STORE, "dev.resiliency.store."),
            new Rule(
                    SOCKET,
                    "sun.nio.ch.NioSocketImpl.",
                    "sun.nio.ch.Net.",
                    "sun.nio.ch.SocketChannelImpl.",
                    "sun.nio.ch.SocketDispatcher.",
                    "sun.nio.ch.UnixDomainSockets.",
                    "sun.nio.ch.ServerSocketChannelImpl.",
                    "sun.nio.ch.DatagramChannelImpl.",
                    "sun.nio.ch.EPoll",
                    "sun.nio.ch.SelectorImpl.",
                    "sun.security.ssl.",
                    "java.net.Socket",
                    "java.net.ServerSocket",
                    "java.net.PlainSocketImpl",
                    "io.netty.channel."),
            new Rule(
                    SLEEP,
                    "java.lang.Thread.sleep",
                    "java.lang.Thread.yield",
                    "java.lang.Thread.beforeSleep",
                    "java.util.concurrent.TimeUnit.sleep"),
            new Rule(
                    THREAD,
                    "java.util.concurrent.locks.LockSupport.park",
                    "jdk.internal.misc.Unsafe.park",
                    "sun.misc.Unsafe.park",
                    "java.lang.Object.wait",
                    "java.lang.Thread.join",
                    "java.lang.ProcessImpl.waitFor"));

    private final String words;
    private final boolean isForOthers;

    Activity(String words, boolean isForOthers) {
        this.words = words;
        this.isForOthers = isForOthers;
    }

    private record Rule(Activity activity, List<String> starts) {
        Rule(Activity activity, String... starts) {
            this(activity, List.of(starts));
        }

        boolean matches(String method) {
            return starts.stream().anyMatch(method::startsWith);
        }
    }

    /**
     * Returns what a thread does.
     *
     * @param isBlocked whether it waits to enter a synchronized block
     * @param isNative whether its innermost frame is a native method
     * @param methods of its frames, innermost first: {@code java.lang.Thread.sleep}
     */
    static Activity of(boolean isBlocked, boolean isNative, List<String> methods) {
        if (isBlocked) {
            return LOCK;
        }
        List<String> above = methods.stream()
                .takeWhile(Predicate.not(StackFrames::isOfTheProgram))
                .toList();
        for (Rule rule : RULES) {
            if (above.stream().anyMatch(rule::matches)) {
                return rule.activity();
            }
        }
        boolean isOfTheJdk = !methods.isEmpty() && StackFrames.isOfTheJdk(methods.get(0));
        return isNative && !isOfTheJdk ? NATIVE : NONE;
    }

    /** Returns whether another thread or process can end it: most of those that wait for others have not caused the hang. */
    public boolean isForOthers() {
        return isForOthers;
    }

    /** Returns what it is, after the name of who does it: {@code waits in a socket}. */
    public String words() {
        return words;
    }
}
