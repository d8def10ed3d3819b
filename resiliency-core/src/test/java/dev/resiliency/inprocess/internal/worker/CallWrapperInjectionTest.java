package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.InjectCallWrapper;
import dev.resiliency.inprocess.RestartAbort;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@SuppressWarnings({"UnusedMethod", "UnusedVariable", "DoNotCallSuggester"
}) // found by the injection, or not to be called
class CallWrapperInjectionTest {
    private final CallWrapper call = TestCalls.inIteration(7);

    /** Calls the function twice, as a restart does. */
    private void assertInjected(Callable<Integer> callable) throws Exception {
        assertThat(CallWrapperInjection.<Integer>into(callable).call(call)).isEqualTo(7);
        assertThat(CallWrapperInjection.<Integer>into(callable).call(TestCalls.inIteration(8)))
                .isEqualTo(8);
    }

    private static void assertRefused(Callable<Integer> callable, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallWrapperInjection.<Integer>into(callable))
                .withMessageStartingWith(callable.getClass().getName())
                .withMessageContaining(why);
    }

    @Test
    void privateFieldIsSet() throws Exception {
        assertInjected(new WithField());
    }

    @Test
    void privateFieldThatIsInheritedIsSet() throws Exception {
        assertInjected(new InheritingTheField());
    }

    @Test
    void privateSetterIsCalled() throws Exception {
        assertInjected(new WithSetter());
    }

    @Test
    void setterThatImplementsAGenericInterfaceCountsOnce() throws Exception {
        assertInjected(new WithSetterOfAnInterface());
    }

    @Test
    void callableWithoutAPlaceIsCalledAsItIs() throws Exception {
        assertThat(CallWrapperInjection.<Integer>into(() -> 5).call(call)).isEqualTo(5);
    }

    @Test
    void twoPlacesAreRejected() {
        assertRefused(
                new WithTwoPlaces(), "has 2 fields or methods with @InjectCallWrapper, and one at most is allowed");
    }

    @Test
    void fieldOfAnotherTypeIsRejected() {
        assertRefused(new WithFieldOfAnotherType(), "must be of type CallWrapper, neither static nor final");
    }

    @Test
    void staticFieldIsRejected() {
        assertRefused(new WithStaticField(), "must be of type CallWrapper, neither static nor final");
    }

    @Test
    void setterOfTwoArgumentsIsRejected() {
        assertRefused(new WithSetterOfTwo(), "must take one CallWrapper and must not be static");
    }

    @Test
    void exceptionOfTheSetterIsThrownUnchanged() {
        for (Throwable thrown : new Throwable[] {new IOException("no"), new RestartAbort("no")}) {
            Executable injected = () -> assertThat(CallWrapperInjection.<Integer>into(new WithFailingSetter(thrown))
                            .call(call))
                    .isNull();
            assertThatExceptionOfType(thrown.getClass())
                    .isThrownBy(injected::execute)
                    .isSameAs(thrown);
        }
    }

    static class WithField implements Callable<Integer> {
        @InjectCallWrapper
        private @Nullable CallWrapper injected;

        @Override
        public Integer call() {
            return Objects.requireNonNull(injected).iteration();
        }
    }

    private static final class InheritingTheField extends WithField {}

    private static final class WithSetter implements Callable<Integer> {
        private int iteration = -1;

        @InjectCallWrapper
        private void use(CallWrapper given) {
            iteration = given.iteration();
        }

        @Override
        public Integer call() {
            return iteration;
        }
    }

    interface Uses<T> {
        void use(T given);
    }

    private static final class WithSetterOfAnInterface implements Callable<Integer>, Uses<CallWrapper> {
        private int iteration = -1;

        @Override
        @InjectCallWrapper
        public void use(CallWrapper given) {
            iteration = given.iteration();
        }

        @Override
        public Integer call() {
            return iteration;
        }
    }

    private static final class WithTwoPlaces extends WithField {
        @InjectCallWrapper
        void use(CallWrapper given) {
            throw new AssertionError(given);
        }
    }

    private static final class WithFieldOfAnotherType implements Callable<Integer> {
        @InjectCallWrapper
        @Nullable
        Object injected;

        @Override
        public Integer call() {
            return 0;
        }
    }

    private static final class WithStaticField implements Callable<Integer> {
        @InjectCallWrapper
        static @Nullable CallWrapper injected;

        @Override
        public Integer call() {
            return 0;
        }
    }

    private static final class WithSetterOfTwo implements Callable<Integer> {
        @InjectCallWrapper
        void use(CallWrapper given, int number) {
            throw new AssertionError(given + " " + number);
        }

        @Override
        public Integer call() {
            return 0;
        }
    }

    private static final class WithFailingSetter implements Callable<Integer> {
        private final Throwable thrown;

        WithFailingSetter(Throwable thrown) {
            this.thrown = thrown;
        }

        @InjectCallWrapper
        void use(CallWrapper given) throws Throwable {
            assertThat(given).isNotNull();
            throw thrown;
        }

        @Override
        public Integer call() {
            return 0;
        }
    }
}
