package dev.resiliency.store.spi;

import dev.resiliency.store.tcp.internal.server.StoreServerMain;
import java.util.List;
import java.util.function.Consumer;

/**
 * The program of a standalone store server, for other programs that offer it as one of their commands.
 *
 * @since 0.1.0
 */
public interface StoreServerProgram {
    /** Returns the program. */
    static StoreServerProgram find() {
        return new StoreServerMain();
    }

    /**
     * An option of the program.
     *
     * @param name with its dashes: {@code --port}
     * @param hasValue whether a value follows it
     */
    record Option(String name, boolean hasValue) {}

    /** Returns the options, for programs that complete them. */
    List<Option> options();

    /**
     * Serves until a signal ends this process, or prints help and returns. Exits with 1 if the server cannot start, and with
     * 2 for invalid arguments.
     *
     * @param name how users start it, for the help: {@code java -jar resiliency-store-server.jar}
     * @param beside gets a session of this process once the server serves, for what is to be done beside it; not called if
     *     the server does not accept its own process as a client, as with a certificate that it does not trust itself
     * @throws InterruptedException if this thread is interrupted; the server serves on
     */
    void run(String name, List<String> arguments, Consumer<? super SessionStore> beside) throws InterruptedException;
}
