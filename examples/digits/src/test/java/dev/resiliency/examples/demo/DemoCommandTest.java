package dev.resiliency.examples.demo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.CommandRun;
import dev.resiliency.examples.job.Program;
import dev.resiliency.testing.FaultKind;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCommandTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ranks x | 'x' is not an int",
                "--ranks 0 | --ranks is 0: it must be from 1 to 32",
                "--ranks 33 | --ranks is 33: it must be from 1 to 32",
                "--active 5 | --active is 5: it must be from 1 to the number of ranks, 4",
                "--steps -5 | --steps is -5: it must be at least 1",
                "--fault meteor:1@5 | 'meteor' is not a kind of fault; use one of exception, error,",
                "--fault kill | 'kill' is not KIND:RANK@STEP, such as kill:1@600, or",
                "--fault kill:9@5 | kill:9@5: there is no rank 9, ranks go from 0 to 3",
                "--fault kill:1@9999 | kill:1@9999: there is no step 9999, steps go from 1 to 2000",
                "--ranks 2 --fault kill:0@5 --fault kill:1@6 | these faults cost every rank",
                "--no-faults --fault kill:1@5 | --fault and --no-faults contradict each other",
                "--fault exception:all@5 | 'exception:all@5': only kill can hit all ranks",
                "--replace --fault kill:1@9999 | kill:1@9999: there is no step 9999",
                "--json /no/such/directory/report.json | --json: there is no directory /no/such/directory",
                "--jason report.json | Unknown option",
            })
    void mistakeOfTheUserIsOneClearLineAndExitCodeTwo(String arguments, String message) {
        CommandRun run = demo(arguments.split(" ", -1));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("error: ").contains(message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                " | 1 | exception:0@600",
                " | 2 | exception:0@600 kill:1@1300",
                " | 4 | exception:2@600 kill:1@1300",
                "--replace | 4 | exception:2@200 kill:1@500",
                "--replace | 3 | exception:2@200 kill:1@500 kill:0@1000",
            })
    void replacementHasMostOfTheTrainingToJoinAndTakesOverIfItIsAReserve(
            @Nullable String option, int training, String faults) {
        DemoCommand command = new DemoCommand();
        Program.commandLine(command).parseArgs(option == null ? new String[0] : new String[] {option});

        assertThat(command.faults(training)).extracting(TrainingFault::toString).containsExactly(faults.split(" ", -1));
    }

    @Test
    void helpListsOptionsExitCodesAndExamples() {
        CommandRun run = demo("--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("--ranks=N", "--steps=N", "--fault=KIND:RANK@STEP", "--no-faults", "--json=FILE", "--plain")
                .contains("--replace", "kill:all@STEP", "(default: 2000)")
                .contains("Exit codes:", "Examples:", "kill:0@STEP, the")
                .contains("  stop-ping        the function continues, but stops pinging")
                .doesNotContain("null");
        assertThat(run.out())
                .contains(Stream.of(FaultKind.values())
                        .map(kind -> "  " + kind + " ")
                        .toList());
    }

    @Test
    void trainingDoesNotDependOnTheDemo() {
        noClasses()
                .that()
                .resideInAPackage("..digits..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..demo..")
                .check(new ClassFileImporter().importPackages("dev.resiliency.examples"));
    }

    private static CommandRun demo(String... arguments) {
        return CommandRun.of(new DemoCommand(), arguments);
    }
}
