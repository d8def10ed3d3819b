package dev.resiliency.examples.job;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Exit code and output of a command that ran in this JVM. */
public record CommandRun(int exitCode, String out, String err) {

    /** Runs a command as its program does. */
    public static CommandRun of(Object command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine =
                Program.commandLine(command).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return new CommandRun(commandLine.execute(arguments), out.toString(), err.toString());
    }
}
