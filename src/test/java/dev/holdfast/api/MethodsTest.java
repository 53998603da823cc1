package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.audit.Audited;
import dev.holdfast.e2b.E2bApplication;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Application;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MethodsTest {

    private static Stream<ApiMethod> changing() {
        return Stream.<Application>of(new ApiApplication(), new E2bApplication())
                .flatMap(ApiMethod::of)
                .filter(each -> !each.verb().equals("GET"));
    }

    @Test
    void everyMethodThatChangesSomethingSaysWhatItIsInTheAudit() {
        assertThat(changing())
                .isNotEmpty()
                .allSatisfy(
                        each ->
                                assertThat(each.method().getAnnotation(Audited.class))
                                        .as("%s %s", each.verb(), each.path())
                                        .isNotNull());
    }

    @Test
    void everySubjectIsNamedByAParameterOfItsPath() {
        assertThat(changing())
                .allSatisfy(
                        each -> {
                            var id = each.method().getAnnotation(Audited.class).id();
                            var parameters =
                                    Arrays.stream(each.method().getParameters())
                                            .map(one -> one.getAnnotation(PathParam.class))
                                            .filter(one -> one != null)
                                            .map(PathParam::value)
                                            .toList();
                            assertThat(
                                            id.isEmpty()
                                                    || each.path().contains("{" + id)
                                                    || parameters.contains(id))
                                    .as("%s %s", each.verb(), each.path())
                                    .isTrue();
                        });
    }

    @Test
    void everyMethodSaysWhoMayCallIt() {
        assertThat(ApiMethod.of(new ApiApplication()))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.permissions()).as(each.path()).isNotEmpty());
    }
}
