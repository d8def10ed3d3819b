package dev.resiliency.launcher.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option of torchrun or of nvidia-resiliency-ext's {@code ft_launcher}, or a setting in a file of the latter.
 *
 * @param names as they write it; the first is the longest
 * @param here what becomes of it
 * @param target the option of {@code resiliency run} that it stands for; empty if there is none
 * @param remark what differs, or why it is refused or has no effect; empty if nothing does
 * @param harmless the only value that is accepted of one that is refused; empty if there is none
 * @param hasValue whether a word with its value follows
 */
record OriginalOption(List<String> names, Here here, String target, String remark, String harmless, boolean hasValue) {
    static final String PREFIX = "--ft-";

    /** What becomes of an option. */
    enum Here {
        /** It has the same name, apart from {@code --ft-}. */
        SAME,
        /** It has another name. */
        RENAMED,
        /** It is accepted, and a line says that it means nothing. */
        WITHOUT_EFFECT,
        /** It is an error, which says what to do. */
        REFUSED
    }

    /** Returns the long name with dashes, and without {@code --ft-}. */
    String name() {
        String name = names.get(0).replace('_', '-');
        if (name.startsWith(PREFIX)) {
            return "--" + name.substring(PREFIX.length());
        }
        return name.startsWith("--") ? name : "--" + name;
    }

    /** Returns it as one that no value follows. */
    OriginalOption flag() {
        return new OriginalOption(names, here, target, remark, harmless, false);
    }

    /** Returns it as one of which one value is accepted. */
    OriginalOption butFor(String value) {
        return new OriginalOption(names, here, target, remark, value, hasValue);
    }

    /** Returns a hidden option with which a parser reads one that is no option here. */
    OptionSpec hidden() {
        List<String> all = new ArrayList<>(List.of(name()));
        all.addAll(names.subList(1, names.size()));
        OptionSpec.Builder option =
                OptionSpec.builder(all.toArray(String[]::new)).hidden(true);
        return hasValue
                ? option.arity("1").type(String.class).build()
                : option.arity("0").type(Boolean.class).build();
    }
}
