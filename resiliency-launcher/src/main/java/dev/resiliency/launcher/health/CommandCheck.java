package dev.resiliency.launcher.health;

import dev.resiliency.launcher.process.Programs;
import java.nio.file.Path;

/** Checks that a program exists and can be executed. */
final class CommandCheck implements HostCheck {
    private static final String SUBJECT = "command";

    private final String program;
    private final String path;

    CommandCheck(String program, String path) {
        this.program = program;
        this.path = path;
    }

    @Override
    public Finding run() {
        return Programs.problem(program, Path.of("").toAbsolutePath(), path)
                .map(problem -> Finding.failure(SUBJECT, problem.problem()))
                .orElseGet(() -> Finding.ok(SUBJECT, program + " can be executed"));
    }
}
