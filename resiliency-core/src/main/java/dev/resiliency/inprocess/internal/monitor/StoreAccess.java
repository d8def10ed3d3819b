package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.Tls;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Properties;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * How the monitor process proves to the store that it may use it: as its rank does, which may have been given both in code.
 *
 * @param secret in hexadecimal digits; null for none
 * @param tls null for none
 */
public record StoreAccess(@Nullable String secret, @Nullable Tls tls) {
    private static final HexFormat HEX = HexFormat.of();

    /** Returns that of a session; null if it is that of the environment, which the monitor process inherits. */
    public static @Nullable StoreAccess of(SessionStore store) {
        if (!(store instanceof TcpStore tcp)) {
            return null;
        }
        SecretKey key = tcp.secret();
        return new StoreAccess(key == null ? null : HEX.formatHex(key.getEncoded()), tcp.tls());
    }

    void applyTo(TcpStore.Builder store) {
        store.secret(secret == null ? null : Secret.of(HEX.parseHex(secret))).tls(tls);
    }

    void putInto(Properties properties) {
        properties.setProperty("storeAccess", "given");
        if (secret != null) {
            properties.setProperty("storeSecret", secret);
        }
        if (tls != null) {
            properties.setProperty("storeTls", Boolean.toString(tls.checksHostName()));
            put(properties, "storeTlsCertificates", tls.certificates());
            put(properties, "storeTlsKey", tls.key());
            put(properties, "storeTlsTrust", tls.trust());
        }
    }

    private static void put(Properties properties, String name, @Nullable Path file) {
        if (file != null) {
            properties.setProperty(name, file.toString());
        }
    }

    static @Nullable StoreAccess from(Properties properties) {
        if (properties.getProperty("storeAccess") == null) {
            return null;
        }
        String tls = properties.getProperty("storeTls");
        return new StoreAccess(
                properties.getProperty("storeSecret"),
                tls == null
                        ? null
                        : new Tls(
                                path(properties, "storeTlsCertificates"),
                                path(properties, "storeTlsKey"),
                                path(properties, "storeTlsTrust"),
                                Boolean.parseBoolean(tls)));
    }

    private static @Nullable Path path(Properties properties, String name) {
        String file = properties.getProperty(name);
        return file == null ? null : Path.of(file);
    }

    /** Returns a text that does not reveal the secret. */
    @Override
    public String toString() {
        return "StoreAccess[secret=" + (secret == null ? "none" : "hidden") + ", tls=" + tls + "]";
    }
}
