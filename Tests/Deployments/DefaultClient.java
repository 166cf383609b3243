import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Requests URL with Java's default client, ten times in succession and ten times concurrently. Fails unless each response has status 200. */
class DefaultClient {
    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newHttpClient();
        var request = HttpRequest.newBuilder(URI.create(arguments[0])).timeout(Duration.ofSeconds(30)).build();
        for (int number = 1; number <= 10; number++) {
            expect(client.send(request, BodyHandlers.ofString()).statusCode());
        }
        var all = IntStream.range(0, 10).mapToObj(number -> client.sendAsync(request, BodyHandlers.ofString())).toList();
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        for (var answer : all) expect(answer.join().statusCode());
        System.out.println("20 responses, protocol " + all.get(0).join().version());
    }

    private static void expect(int status) {
        if (status != 200) throw new AssertionError("status " + status);
    }
}
