package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the interpreters of a sandbox do, shown on the real agent with a Python that is bare. */
@Timeout(90)
class ContextsContractTest {

    private static final ContextId PYTHON = new ContextId("python");

    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private Fifos fifos;
    private AgentProcess process;
    private AgentChannel channel;
    private Agent agent;

    @BeforeEach
    void begin() throws Exception {
        fifos = Fifos.make();
        process = AgentProcess.start(fifos);
        connect();
    }

    @AfterEach
    void end() throws Exception {
        channel.close();
        process.close();
        var said = Files.readString(fifos.err());
        fifos.close();
        executor.shutdownNow();
        assertThat(said).as("what the agent complained of").isEmpty();
    }

    private void connect() throws Exception {
        if (channel != null) {
            channel.close();
        }
        channel = RealAgent.open(fifos, executor);
        await(channel.connect(Duration.ofSeconds(30)));
        agent = new Agent(channel);
    }

    @Test
    @Tag("R3")
    void keepsNamesFromCodeToCode() throws Exception {
        assertThat(run("total = 42").value()).isNull();
        var second = run("print('said'); total");
        assertThat(second.events())
                .contains(
                        new ExecutionEvent.Started(2),
                        new ExecutionEvent.Output(OutputChannel.STDOUT, "said\n"));
        assertThat(second.value()).isEqualTo("42");
        assertThat(run("total", "javascript").failure().name()).isEqualTo("ReferenceError");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python|import os; print(os.environ['A'], os.environ.get('B'))|call None",
                "javascript|console.log(process.env.A, String(process.env.B))|call undefined",
                "bash|echo $A ${B-None}|call None"
            })
    void givesVariablesOfACallToThatCallOnly(String language, String code, String said)
            throws Exception {
        await(agent.environment(Map.of("A", "sandbox")));
        assertThat(run(order(code, language, Map.of("A", "call"))).text(OutputChannel.STDOUT))
                .isEqualTo(said + "\n");
        assertThat(run(code, language).text(OutputChannel.STDOUT))
                .isEqualTo(said.replace("call", "sandbox") + "\n");
        await(agent.environment(Map.of("A", "clone")));
        assertThat(run(code, language).text(OutputChannel.STDOUT))
                .isEqualTo(said.replace("call", "clone") + "\n");
    }

    @Test
    void tellsWhatPythonSaysInItsOrder() throws Exception {
        var code =
                "import sys\n"
                        + "print('one')\n"
                        + "print('two', file=sys.stderr)\n"
                        + "display(3)\n"
                        + "print('four')\n"
                        + "True";
        assertThat(run(code).events())
                .extracting(Object::toString)
                .satisfiesExactly(
                        each -> assertThat(each).contains("Started"),
                        each -> assertThat(each).contains("STDOUT").contains("one"),
                        each -> assertThat(each).contains("STDERR").contains("two"),
                        each -> assertThat(each).contains("main=false").contains("3"),
                        each -> assertThat(each).contains("four"),
                        each -> assertThat(each).contains("main=true").contains("True"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python|import time; print('begun'); time.sleep(60)",
                "python|import subprocess; print('begun'); subprocess.run(['sleep', '60'])",
                "javascript|console.log('begun'); while (true) {}",
                "javascript|console.log('begun'); await new Promise(() => {})",
                "bash|echo begun; sleep 60; echo after",
                "bash|echo begun; while :; do :; done"
            })
    void interruptsCodeAndKeepsItsNames(String language, String code) throws Exception {
        run(language.equals("bash") ? "kept=7" : "var_kept = 7", language);
        var running = start(order(code, language, Map.of()));
        running.awaitOutput("begun");
        await(agent.contexts().interrupt(new ContextId(language)));
        assertThat(running.awaitEnd().failure().name()).isEqualTo("KeyboardInterrupt");
        assertThat(running.text(OutputChannel.STDOUT)).doesNotContain("after");
        var kept = run(language.equals("bash") ? "echo $kept" : "var_kept", language);
        assertThat(kept.text(OutputChannel.STDOUT) + kept.value()).contains("7");
    }

    @Test
    void interruptsCodeWhoseFollowerLeaves() throws Exception {
        var running = start(order("import time\nprint('begun')\ntime.sleep(60)", "python"));
        running.awaitOutput("begun");
        var waiting = start(order("print('never')\nnever = 1", "python"));
        waiting.stream().cancel();
        running.stream().cancel();
        assertThat(run("'never' in globals()").value()).isEqualTo("False");
    }

    @Test
    @Tag("R76")
    void letsCodeRunOnWhenTheChannelBeginsAnew() throws Exception {
        var running =
                start(order("import time\nprint('begun')\ntime.sleep(1)\ndone = 1", "python"));
        running.awaitOutput("begun");
        connect();
        assertThat(run("done").value()).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python|import os; print('last'); os._exit(3)|exit code 3",
                "python|import os; os.kill(os.getpid(), 9)|signal 9",
                "python|import os; os.write(int(os.popen('true').close() or 2), b'');"
                        + " os.abort()|signal 6",
                "javascript|process.exit(4)|exit code 4",
                "bash|exit 5|exit code 5"
            })
    void saysThatCodeHasEndedItsInterpreterAndGivesANewOne(String language, String code, String why)
            throws Exception {
        var killed = run(code, language);
        assertThat(killed.failure().name()).isEqualTo("InterpreterEnded");
        assertThat(killed.failure().value()).contains(why).contains("variables are lost");
        var next = run(language.equals("bash") ? "echo 2" : "1 + 1", language);
        assertThat(next.text(OutputChannel.STDOUT) + next.value()).contains("2");
        assertThat(next.events()).contains(new ExecutionEvent.Started(1));
    }

    @Test
    void saysLaterThatAnInterpreterEndedWhileItWasIdle() throws Exception {
        var pid = run("import os; os.getpid()").value();
        run("kill -9 " + pid, "bash");
        Thread.sleep(300);
        var next = run("'pid' in globals()");
        if (next.failure() == null) {
            assertThat(next.text(OutputChannel.STDERR)).contains("had ended (signal 9");
            assertThat(next.value()).isEqualTo("False");
        } else {
            // The code came before the news.
            assertThat(next.failure().value()).contains("signal 9");
        }
    }

    @Test
    void survivesWhatIsNoFrame() throws Exception {
        var rubbish =
                "import os\n"
                        + "for n in os.listdir('/proc/self/fd'):\n"
                        + "  try:\n"
                        + "    'socket' in os.readlink('/proc/self/fd/'+n) and os.write(int(n),"
                        + " b'zz'*9)\n"
                        + "  except OSError: pass\n"
                        + "import time; time.sleep(20)";
        assertThat(run(rubbish).failure().value()).contains("signal 9");
        assertThat(run("1").value()).isEqualTo("1");
    }

    @Test
    void goesAtThePaceOfItsReader() throws Exception {
        var order = order("for _ in range(20000): print('x' * 99)\n", "python");
        var slow = new Executed(false);
        slow.of(agent.contexts().execute(order, slow));
        slow.awaitOutput("x");
        Thread.sleep(500);
        assertThat(slow.held()).isLessThanOrEqualTo(256 * 1024);
        assertThat(slow.isOver()).isFalse();
        while (!slow.isOver()) {
            slow.giveBack();
            Thread.sleep(2);
        }
        assertThat(slow.text(OutputChannel.STDOUT)).hasSize(2_000_000);
    }

    @Test
    void passesAResultThatIsLargerThanItsCreditAndLeavesOutWhatIsTooLarge() throws Exception {
        assertThat(run("'ü' * 1_000_000").value()).hasSize(1_000_000);
        var much = run("'x' * 9_000_000");
        assertThat(much.text(OutputChannel.STDERR)).contains("too large to be shown: text");
        assertThat(run("1").value()).isEqualTo("1");
    }

    @Test
    void makesListsRestartsAndRemovesContexts() throws Exception {
        assertThat(await(agent.contexts().list()))
                .extracting(context -> context.id().value())
                .containsExactly("python", "javascript");
        var made = await(agent.contexts().create(Optional.empty(), Optional.of("/usr")));
        assertThat(made.directory()).isEqualTo("/usr");
        var there = ExecutionOrder.in(made.id(), "import os; x = 1; os.getcwd()");
        assertThat(run(there).value()).isEqualTo("/usr");
        await(agent.contexts().restart(made.id()));
        assertThat(run(ExecutionOrder.in(made.id(), "'x' in globals()")).value())
                .isEqualTo("False");
        await(agent.contexts().remove(made.id()));
        assertFails(ErrorCode.NOT_FOUND, agent.contexts().interrupt(made.id()));
        assertThat(await(agent.contexts().list())).hasSize(2);
        await(agent.contexts().remove(PYTHON));
        assertThat(await(agent.contexts().list())).hasSize(1);
        assertThat(run("3").value()).isEqualTo("3");
    }

    @Test
    void refusesLanguagesByNameAndTooManyContexts() throws Exception {
        for (var language : List.of("r", "java", "typescript")) {
            assertThatThrownBy(() -> run("1", language))
                    .hasMessageContaining("language '" + language + "' is not offered")
                    .hasMessageContaining("python, javascript, bash");
        }
        assertFails(
                ErrorCode.INVALID_ARGUMENT,
                agent.contexts().create(Optional.empty(), Optional.of("/no/such")));
        for (int i = 2; i < 16; i++) {
            await(agent.contexts().create(Optional.empty(), Optional.empty()));
        }
        assertThat(await(agent.contexts().list())).hasSize(16);
        assertFails(
                ErrorCode.RESOURCE_EXHAUSTED,
                agent.contexts().create(Optional.empty(), Optional.empty()));
    }

    @Test
    void answersQuestionsAboutNamesOfAnIdleInterpreter() throws Exception {
        assertThat(await(agent.contexts().variables(PYTHON))).isEmpty();
        run(
                "import os\n"
                        + "total = 42\n"
                        + "rows = [1] * 1000\n"
                        + "class Odd:\n"
                        + "  def __repr__(self): 1/0\n"
                        + "odd = Odd()");
        assertThat(await(agent.contexts().variables(PYTHON)))
                .contains(
                        new Variable("total", "int", "42"),
                        new Variable("rows", "list", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...]"))
                .extracting(Variable::name)
                .containsExactly("Odd", "odd", "rows", "total");
        assertThat(await(agent.contexts().complete(PYTHON, "print(tot", 9)))
                .isEqualTo(new Completion(List.of("total"), 6, 9));
        run("class Slow:\n  def __repr__(self):\n    while True: pass\nslow = Slow()");
        assertThat(await(agent.contexts().variables(PYTHON))).isEmpty();
        assertThat(run("total").value()).isEqualTo("42");
    }

    private Executed run(String code) throws Exception {
        return run(code, "python");
    }

    private Executed run(String code, String language) throws Exception {
        return run(order(code, language));
    }

    private Executed run(ExecutionOrder order) throws Exception {
        return start(order).awaitEnd();
    }

    private Executed start(ExecutionOrder order) {
        var executed = new Executed(true);
        return executed.of(agent.contexts().execute(order, executed));
    }

    private static ExecutionOrder order(String code, String language) {
        return order(code, language, Map.of());
    }

    private static ExecutionOrder order(String code, String language, Map<String, String> env) {
        return new ExecutionOrder(code, Optional.empty(), Optional.of(language), env);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static void assertFails(ErrorCode code, CompletionStage<?> stage) {
        assertThatThrownBy(() -> await(stage))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
