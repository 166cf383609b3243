import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Starts a job at URL with the ISBNs in FILE and follows it through server-sent events. Fails unless each event arrives once and in order, up to the end. */
class StreamClient {
    private static final HttpClient client = HttpClient.newHttpClient();

    public static void main(String[] arguments) throws Exception {
        var isbns = Files.readAllLines(Path.of(arguments[1])).stream().map(line -> line.split("#")[0].strip())
            .filter(line -> !line.isEmpty() && !line.contains("\"")).map(isbn -> '"' + isbn + '"').collect(Collectors.joining(","));
        var start = HttpRequest.newBuilder(URI.create(arguments[0] + "/v1/enrichment/batch"))
            .header("Content-Type", "application/json").POST(BodyPublishers.ofString("{\"isbns\":[" + isbns + "]}")).build();
        var job = client.send(start, BodyHandlers.ofString()).body();
        var events = HttpRequest.newBuilder(URI.create(arguments[0] + member(job, "eventsUrl") + "?since=0"))
            .header("Authorization", "Bearer " + member(job, "token")).build();
        var numbers = new ArrayList<Long>();
        var type = "";
        for (var line : (Iterable<String>) client.send(events, BodyHandlers.ofLines()).body()::iterator) {
            if (line.startsWith("id: ")) numbers.add(Long.valueOf(line.substring(4)));
            if (line.startsWith("event: ")) type = line.substring(7);
        }
        // The first number is the position from which the stream continues.
        for (int place = 0; place < numbers.size(); place++) {
            if (numbers.get(place) != place) throw new AssertionError("events " + numbers);
        }
        if (!type.equals("job_complete")) throw new AssertionError("the last event is " + type);
        System.out.println(numbers.size() + " events, the last one is " + type);
    }

    private static String member(String json, String name) {
        var found = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
        if (!found.find()) throw new AssertionError("no " + name + " in " + json);
        return found.group(1);
    }
}
