package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.tcp.internal.wire.Credentials;

/**
 * The requirements of a server for its clients.
 *
 * @param scope the scope that clients must ask for
 * @param credentials how clients and the server authenticate each other
 * @param speaksPyTorch whether clients of PyTorch's TCPStore, which know neither scope nor secret, may connect as well
 * @param limits the limits of the store
 */
public record ServerSettings(String scope, Credentials credentials, boolean speaksPyTorch, Limits limits) {}
