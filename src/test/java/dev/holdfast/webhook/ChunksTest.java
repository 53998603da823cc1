package dev.holdfast.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChunksTest {

    private static final String HEAD = "HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n";

    @Test
    void anAnswerInPiecesIsToldWithoutTheirSizes() {
        var answer = Outlet.answer(HEAD + "7\r\nnot now\r\nb;x=y\r\n, or later.\r\n0\r\n\r\n");

        assertThat(answer.status()).hasValue(503);
        assertThat(answer.detail()).isEqualTo("not now, or later.");
    }

    @Test
    void whatBreaksOffOrLiesIsToldAsFarAsItGoes() {
        assertThat(Outlet.answer(HEAD + "7\r\nnot").detail()).isEqualTo("not");
        assertThat(Outlet.answer(HEAD + "fffffff\r\nnot now").detail()).isEqualTo("not now");
        assertThat(Outlet.answer(HEAD + "no size").detail()).isEmpty();
    }
}
