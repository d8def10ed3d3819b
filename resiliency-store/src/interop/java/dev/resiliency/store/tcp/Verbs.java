package dev.resiliency.store.tcp;

import java.time.Duration;
import java.util.List;

/** The verbs of PyTorch's store for any client: with texts for bytes, and an exception for every failure. */
interface Verbs extends AutoCloseable {
    void set(String key, String value) throws Exception;

    /** Waits until the key exists. */
    String get(String key) throws Exception;

    long add(String key, long delta) throws Exception;

    String compareSet(String key, String expected, String desired) throws Exception;

    void append(String key, String value) throws Exception;

    boolean delete(String key) throws Exception;

    boolean check(List<String> keys) throws Exception;

    void await(List<String> keys, Duration timeout) throws Exception;

    long keyCount() throws Exception;

    List<String> keys() throws Exception;

    @Override
    void close();
}
