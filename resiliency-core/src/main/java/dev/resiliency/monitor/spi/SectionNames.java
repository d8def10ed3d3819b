package dev.resiliency.monitor.spi;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The names of sections in the file, and their numbers. */
final class SectionNames {
    private static final String UNNAMED = "unnamed";
    private static final int FURTHER = StampLayout.NAMES - 1;
    private static final String FURTHER_NAME = "further sections";

    private final @Nullable SharedFile file;
    private final ConcurrentMap<String, Integer> numbers = new ConcurrentHashMap<>();
    /** Guarded by this. */
    private int used = 1;

    SectionNames(@Nullable SharedFile file) {
        this.file = file;
        if (file != null) {
            file.setText(StampLayout.name(FURTHER), StampLayout.NAME_SIZE, FURTHER_NAME);
            for (; used < FURTHER; used++) { // of a process that has used the file before
                String name = file.text(StampLayout.name(used), StampLayout.NAME_SIZE);
                if (name.isEmpty()) {
                    break;
                }
                numbers.put(name, used);
            }
        }
    }

    /** Returns the number of a name, which never changes. */
    int of(@Nullable String name) {
        String given = name == null || name.isEmpty() ? UNNAMED : name;
        Integer known = numbers.get(given);
        return known == null ? add(given) : known;
    }

    private synchronized int add(String name) {
        Integer known = numbers.get(name); // added by another thread meanwhile
        if (known != null) {
            return known;
        }
        if (used == FURTHER || file == null) {
            return FURTHER; // not noted, so that a program with a name for each step does not fill its heap
        }
        file.setText(StampLayout.name(used), StampLayout.NAME_SIZE, name);
        numbers.put(name, used);
        return used++;
    }
}
