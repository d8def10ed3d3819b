package dev.resiliency.launcher.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.process.ExitReason.NotStarted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserLocaleTest {
    private static Map<String, String> restored(Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>(environment);
        UserLocale.restore(variables);
        return variables;
    }

    @Test
    void processHasTheLocaleOfTheUserAgain() {
        assertThat(restored(Map.of("RESILIENCY_LC_ALL", "de_DE", "LC_ALL", "C.UTF-8", "A", "b")))
                .isEqualTo(Map.of("LC_ALL", "de_DE", "A", "b"));
        assertThat(restored(Map.of("RESILIENCY_LC_ALL", "", "LC_ALL", "C.UTF-8")))
                .isEmpty();
        assertThat(restored(Map.of("LC_ALL", "C.UTF-8"))).isEqualTo(Map.of("LC_ALL", "C.UTF-8"));
    }

    @Test
    void commandArrivesInAnEncodingThatHasItsCharacters() {
        assertThat(UserLocale.problem(List.of("java", "--name=größe"), UTF_8, UTF_8))
                .isEmpty();
        assertThat(UserLocale.problem(List.of("java", "--name=size"), US_ASCII, UTF_8))
                .isEmpty();
        assertThat(UserLocale.problem(List.of("java", "Train"))).isEmpty();
        assertThat(UserLocale.problem(List.of("java", "\uFFFD"))).isPresent();
    }

    @Test
    void wordThatWouldChangeOnItsWayIsRefused() {
        String cannot = " cannot be passed on in the encoding of this JVM: start it with LC_ALL=C.UTF-8";

        assertThat(UserLocale.problem(List.of("java", "größe"), US_ASCII, US_ASCII))
                .contains(new NotStarted(126, "argument 1 ('größe')" + cannot));
        assertThat(UserLocale.problem(List.of("größe", "größe"), UTF_8, ISO_8859_1))
                .contains(new NotStarted(126, "the program ('größe')" + cannot));
    }

    @Test
    void wordThatWasNoTextIsRefused() {
        assertThat(UserLocale.problem(List.of("java", "a", "b\uFFFD"), UTF_8, UTF_8))
                .contains(new NotStarted(126, "argument 2 ('b\uFFFD') has bytes that are not UTF-8"));
    }
}
