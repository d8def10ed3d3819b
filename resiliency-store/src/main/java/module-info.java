import dev.resiliency.store.internal.LocalStore;
import dev.resiliency.store.spi.ClientGroup;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.StoreServerProgram;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.internal.client.ClientBuilder;
import dev.resiliency.store.tcp.internal.client.SharedLoop;
import dev.resiliency.store.tcp.internal.server.ServerBuilder;
import dev.resiliency.store.tcp.internal.server.StoreServerMain;

/** A key-value store over TCP with barriers, watches and sessions. */
module dev.resiliency.store {
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;

    exports dev.resiliency.store;
    exports dev.resiliency.store.spi.guard;
    exports dev.resiliency.store.spi;
    exports dev.resiliency.store.tcp;

    uses ClientGroup.Factory;
    uses InMemoryStore.Factory;
    uses StoreServerProgram;
    uses TcpStore.Builder;
    uses TcpStoreServer.Builder;

    provides ClientGroup.Factory with
            SharedLoop.Factory;
    provides InMemoryStore.Factory with
            LocalStore.Factory;
    provides StoreServerProgram with
            StoreServerMain;
    provides TcpStore.Builder with
            ClientBuilder;
    provides TcpStoreServer.Builder with
            ServerBuilder;
}
