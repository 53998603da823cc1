package dev.holdfast.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagementUserTest {

    @Test
    void takesThePlaceOfItsNamesakeAndLeavesOthers(@TempDir Path configuration) throws Exception {
        var file = configuration.resolve("mgmt-users.properties");
        Files.writeString(file, "#$REALM_NAME=ManagementRealm$\nada=1\noperator=2\n");

        new ManagementUser("operator", "secret").writeInto(configuration);

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "#$REALM_NAME=ManagementRealm$",
                        "ada=1",
                        "operator=4d3eda7df4406117e1056f22157bff1d");
    }

    @ParameterizedTest
    @CsvSource({"'a=b',x", "'a\nb',x", "'',x", "ada,''"})
    void refusesWhatWouldWriteAnotherLine(String name, String password) {
        assertThatThrownBy(() -> new ManagementUser(name, password))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
