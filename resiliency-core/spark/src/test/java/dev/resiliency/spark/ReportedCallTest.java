package dev.resiliency.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReportedCallTest {
    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(ReportedCallTest.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void stepsReachTheDriverAndAllElseTheCall() throws Exception {
        LinkedBlockingQueue<String> written = new LinkedBlockingQueue<>();
        Store store = proxy(Store.class, (self, method, arguments) -> {
            written.add(arguments[0] + "=" + (arguments[1] instanceof Value value ? value.text() : arguments[1]));
            return null;
        });
        List<String> called = new ArrayList<>();
        CallWrapper inner = proxy(CallWrapper.class, (self, method, arguments) -> {
            called.add(method.getName());
            return null;
        });

        List<String> methods = new ArrayList<>();
        try (StepReport report = new StepReport(new StageSession(store), 3)) {
            CallWrapper call = new ReportedCall(inner, report);
            call.step(7);
            assertThat(written.poll(10, TimeUnit.SECONDS)).isEqualTo("step/3=7");
            for (Method method : CallWrapper.class.getMethods()) {
                if (!method.getName().equals("iteration")) { // that of its state
                    methods.add(method.getName());
                    method.invoke(
                            call,
                            Arrays.stream(method.getParameterTypes())
                                    .map(type -> type == long.class ? 8L : null)
                                    .toArray());
                }
            }
            assertThat(written.poll(10, TimeUnit.SECONDS)).isEqualTo("step/3=8");
        }

        methods.add("step");
        assertThat(called).containsExactlyInAnyOrderElementsOf(methods);
    }
}
