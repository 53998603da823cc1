package dev.holdfast.run;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code docker/compose.yaml}, read by the parser that the server carries, so that nothing has to
 * be fetched for it.
 */
record ComposeFile(Map<String, Object> content) {

    static final Path PLACE = Path.of("docker/compose.yaml");

    private static final Path PARSER =
            Path.of("modules/system/layers/base/org/yaml/snakeyaml/main");

    @SuppressWarnings("unchecked")
    static ComposeFile read(Path wildfly) throws IOException {
        var jars = new ArrayList<URL>();
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(wildfly.resolve(PARSER), "*.jar")) {
            for (Path jar : found) {
                jars.add(jar.toUri().toURL());
            }
        }
        try (var loader = new URLClassLoader(jars.toArray(URL[]::new))) {
            var parser = loader.loadClass("org.yaml.snakeyaml.Yaml");
            var content =
                    parser.getMethod("load", String.class)
                            .invoke(parser.getConstructor().newInstance(), Files.readString(PLACE));
            return new ComposeFile((Map<String, Object>) content);
        } catch (ReflectiveOperationException e) {
            throw new IOException(PLACE + " cannot be read", e);
        }
    }

    @SuppressWarnings("unchecked")
    Map<String, Map<String, Object>> services() {
        return (Map<String, Map<String, Object>>) content.get("services");
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> named(String kind) {
        return (Map<String, Object>) content.get(kind);
    }

    /** What a service has as a list; empty when it has none. */
    @SuppressWarnings("unchecked")
    List<String> list(String service, String member) {
        return (List<String>) services().get(service).getOrDefault(member, List.of());
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> map(String service, String member) {
        return (Map<String, Object>) services().get(service).getOrDefault(member, Map.of());
    }

    /** What it lets a service do, as podman is told the same. */
    List<String> privileges(String service) {
        var all = new ArrayList<String>();
        if (Boolean.TRUE.equals(services().get(service).get("read_only"))) {
            // podman makes places to write by itself, an engine of compose does not.
            all.addAll(List.of("--read-only", "--read-only-tmpfs=false"));
        }
        list(service, "tmpfs").forEach(place -> all.add("--tmpfs=" + place));
        list(service, "cap_drop").forEach(each -> all.add("--cap-drop=" + each));
        list(service, "cap_add").forEach(each -> all.add("--cap-add=" + each));
        list(service, "devices").forEach(device -> all.add("--device=" + device));
        list(service, "device_cgroup_rules")
                .forEach(rule -> all.add("--device-cgroup-rule=" + rule));
        list(service, "security_opt").stream()
                .filter(option -> !option.startsWith("apparmor"))
                .forEach(option -> all.add("--security-opt=" + option.replaceFirst(":true$", "")));
        if (services().get(service).containsKey("cgroup")) {
            all.add("--cgroupns=" + services().get(service).get("cgroup"));
        }
        list(service, "volumes").stream()
                .filter(volume -> volume.startsWith("/"))
                .forEach(volume -> all.add("--volume=" + volume));
        return all;
    }
}
