package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.StoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** PyTorch's own client on our server, through a list of cases that PyTorch's server passes as well. */
class PyTorchInteropIT {

    /** Shows that the cases describe PyTorch's behaviour. */
    @Nested
    class PyTorchsClientOnPyTorchsServer extends QueueCases {
        private final PyTorchStore server = PyTorchStore.serve();

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        PyTorchStore connect() {
            return PyTorchStore.connect(server.port());
        }
    }

    @Nested
    class PyTorchsClientOnOurServer extends QueueCases {
        private final TcpStoreServer server;

        PyTorchsClientOnOurServer() throws InterruptedException {
            server = TcpStoreServer.builder().pytorch(true).start();
        }

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        PyTorchStore connect() {
            return PyTorchStore.connect(server.port());
        }
    }

    /** Clients of both kinds use the same names of keys. */
    @Nested
    class BothClientsOnOurServer extends InteropCases {
        private final TcpStoreServer server;
        private boolean isOurs;

        BothClientsOnOurServer() throws InterruptedException {
            server = TcpStoreServer.builder().pytorch(true).start();
        }

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        Verbs connect() throws InterruptedException {
            isOurs = !isOurs;
            return isOurs
                    ? new OurClient(TcpStore.builder().port(server.port()).connect())
                    : PyTorchStore.connect(server.port());
        }
    }

    @Test
    void clientOfOursIsToldWhatAnswersOnPyTorchsServer() {
        PyTorchStore server = PyTorchStore.serve();
        TcpStore.Builder client = TcpStore.builder().port(server.port());
        try {
            assertThatThrownBy(client::connect)
                    .isExactlyInstanceOf(StoreException.class)
                    .hasMessageContaining("a server of PyTorch's TCPStore")
                    .hasMessageContaining("127.0.0.1:" + server.port())
                    .hasMessageContaining("'resiliency store'");
            try (PyTorchStore stillServed = PyTorchStore.connect(server.port())) {
                assertThat(stillServed.keys()).isEmpty();
            }
        } finally {
            server.close();
        }
    }
}
