package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.health.HostClock;
import dev.resiliency.launcher.rendezvous.HostMark;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreServerProgram;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code resiliency store}: passes its arguments to the program of the store server as they are; beside it, says that the store is no
 * agent's, and answers for the clock of this host.
 */
@Command(
        name = StoreCommand.NAME,
        description = "Serves a store, until SIGTERM ends it. 'resiliency store --help' lists its options.")
final class StoreCommand implements Callable<Integer> {
    static final String NAME = "store";

    @Parameters(arity = "0..*", hidden = true)
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws InterruptedException {
        StoreServerProgram.find().run("resiliency store", arguments, StoreCommand::serve);
        return ExitCode.COMPLETED;
    }

    private static void serve(SessionStore own) {
        HostMark.writeNone(own);
        HostClock.serve(own);
    }
}
