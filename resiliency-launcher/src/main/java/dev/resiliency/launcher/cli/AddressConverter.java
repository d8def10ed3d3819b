package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.store.spi.StoreAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the address of a store: {@code HOST} or {@code HOST:PORT}. */
final class AddressConverter implements ITypeConverter<StoreAddress> {
    @Override
    public StoreAddress convert(String text) {
        return StoreAddress.parse(text, LaunchConfig.DEFAULT_PORT)
                .orElseThrow(() -> new TypeConversionException(
                        "'%s' is no address: write HOST or HOST:PORT, as in host0:29400 or [fd00::1]:29400"
                                .formatted(text)));
    }
}
