package dev.resiliency.examples.demo;

import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.Moment;
import dev.resiliency.testing.FaultKind;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A fault of the demo: of one rank, or of all. Its text is what {@link #parse} accepts. */
sealed interface DemoFault {
    /** Stands for all ranks. */
    String ALL = ":all@";

    /** A fault that a process injects into itself. */
    record OfRank(Fault fault) implements DemoFault {
        @Override
        public String toString() {
            return fault.toString();
        }
    }

    /**
     * The death of all processes at once. The first rank that comes to the moment reports it, and the demo kills them.
     *
     * @param moment when it happens
     */
    record OfAll(Moment moment) implements DemoFault {
        @Override
        public String toString() {
            return FaultKind.SIGKILL + ALL + moment;
        }
    }

    /**
     * Parses what {@link Fault#parse} accepts and, beyond that, {@code kill:all@STEP} and {@code kill:all@SECONDSs}.
     *
     * @throws IllegalArgumentException if the text is anything else; the message is for users
     */
    static DemoFault parse(String text) {
        if (!text.contains(ALL)) {
            return new OfRank(Fault.parse(text));
        }
        Fault ofFirst = Fault.parse(text.replace(ALL, ":0@"));
        if (ofFirst.kind() != FaultKind.SIGKILL) {
            throw new IllegalArgumentException("'" + text + "': only kill can hit all ranks, as in kill:all@600");
        }
        return new OfAll(ofFirst.moment());
    }

    /** Parses {@code --fault}. */
    final class Converter implements ITypeConverter<DemoFault> {
        @Override
        public DemoFault convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
