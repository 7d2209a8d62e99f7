import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Uses the mock of the service from Java: sign-in with a second factor, step-up, registration, friends, gateway events, and
 * what a test needs around them: lost responses, waiting for requests, counting and verifying them, stubs.
 *
 * <pre>java Quickstart.java [http://127.0.0.1:4817]</pre>
 *
 * Needs JDK 17 or newer and a running {@code rapport-mock}; no library.
 */
public class Quickstart {
    /** Each namespace has its own accounts, mailbox and gateway, so parallel tests can share one mock. */
    static final String NAMESPACE = "java-quickstart";
    static final String PASSWORD = "correct horse battery staple";

    static final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    static String baseUrl;

    public static void main(String[] args) throws Exception {
        String fromEnvironment = System.getenv().getOrDefault("MOCK_URL", "http://127.0.0.1:4817");
        baseUrl = (args.length > 0 ? args[0] : fromEnvironment).replaceAll("/+$", "");
        try {
            prepare();
            String ada = signIn();
            endOtherSession(ada);
            register();
            followGateway(ada, signInByMail());
            loseResponse(ada);
            verifyRequests();
            useStub();
            // The threads of the HTTP client would keep the process alive for a while.
            System.exit(0);
        } catch (Exception error) {
            System.err.println("failed: " + (error.getMessage() == null ? error : error.getMessage()));
            System.exit(1);
        }
    }

    /** Gives the namespace two accounts and nothing else. */
    static void prepare() throws Exception {
        control("POST", "/reset", null, 204);
        control("DELETE", "/users", null, 204);
        control("POST", "/users", Json.object("login", "ada@example.com", "username", "ada", "password", PASSWORD,
            "mfa", List.of("totp")), 201);
        control("POST", "/users", Json.object("login", "grace@example.com", "username", "grace", "password", PASSWORD),
            201);
    }

    /** Signs Ada in with her password and her second factor. */
    static String signIn() throws Exception {
        Json login = call("POST", "/auth/login", Json.object("login", "ada@example.com", "password", PASSWORD), null, 200);
        check(login.get("mfa").value().equals(true) && login.get("totp").value().equals(true), login);
        System.out.println("Ada signs in: the password is right, and a second factor is required");
        Json factor = Json.object("ticket", login.get("ticket"), "login_instance_id", login.get("login_instance_id"),
            "code", totpCode("ada"));
        String token = call("POST", "/auth/mfa/totp", factor, null, 200).text("token");
        System.out.println("Ada signs in: the code is right");
        return token;
    }

    /** Ends another session of Ada: a sensitive call, which requires step-up. */
    static void endOtherSession(String token) throws Exception {
        List<String> before = listSessions(token);
        control("POST", "/tokens", Json.object("user", "ada"), 201); // as if she had signed in on a laptop
        List<String> others = new ArrayList<>(listSessions(token));
        others.removeAll(before);
        Json body = Json.object("session_id_hashes", others);

        Json refused = call("POST", "/auth/sessions/logout", body, token, 401);
        check(refused.get("code").value().equals(60003L), refused);
        Json mfa = refused.get("mfa");
        String methods = mfa.get("methods").items().stream().map(method -> method.text("type"))
            .collect(Collectors.joining(", "));
        System.out.println("Ada ends a session: refused with 60003, methods: " + methods);

        Json verification = Json.object("ticket", mfa.get("ticket"), "mfa_type", "totp", "data", totpCode("ada"));
        String jwt = call("POST", "/mfa/finish", verification, token, 200).text("token");
        // The same request again, with the proof. It is valid for five minutes, also for other calls.
        call("POST", "/auth/sessions/logout", body, token, 204, "X-Service-MFA-Authorization", jwt);
        System.out.println("Ada ends a session: verified; sessions left: " + listSessions(token).size());
    }

    /** Registers Linus with a phone number, which he proves with the code in an SMS. */
    static void register() throws Exception {
        String phone = "+15555550142";
        call("POST", "/auth/register/phone", Json.object("phone", phone), null, 204);
        // Waits until the message was sent.
        String code = control("GET", "/sms/last?to=%2B" + phone.substring(1) + "&kind=phone_verification&wait=5s", null, 200)
            .text("code");
        // The API document does not show the call that verifies the code, so the mock has it in its control API.
        Json proof = control("POST", "/phone-tokens", Json.object("phone", phone, "code", code), 201);
        Json account = Json.object("username", "linus", "phone_token", proof.get("token"), "password", PASSWORD);
        String token = call("POST", "/auth/register", account, null, 200).text("token");
        check(listSessions(token).size() == 1, token);
        System.out.println("Linus registers: a code of " + code.length() + " digits by SMS, and he is signed in");
    }

    /** Signs Grace in with the token in a mail, because she has forgotten her password. */
    static String signInByMail() throws Exception {
        call("POST", "/auth/forgot", Json.object("login", "grace@example.com"), null, 200);
        Json mail = control("GET", "/mail/last?to=grace@example.com&kind=password_reset&wait=5s", null, 200);
        Json ticket = Json.object("ticket", mail.get("ticket"));
        System.out.println("Grace signs in: with the link in the mail " + mail.text("kind"));
        return call("POST", "/auth/one-time-login", ticket, null, 200).text("token");
    }

    /** Receives the friend request of Grace as an event, and accepts it. */
    static void followGateway(String ada, String grace) throws Exception {
        URI url = URI.create(baseUrl.replaceFirst("^http", "ws") + "/gateway");
        Frames frames = new Frames();
        WebSocket socket = http.newWebSocketBuilder().header("X-Mock-Namespace", NAMESPACE).buildAsync(url, frames).join();

        Json hello = frames.next(frame -> frame.number("op") == 10);
        long interval = hello.get("d").number("heartbeat_interval");
        System.out.println("Ada connects: Hello, a heartbeat every " + interval + " ms");
        send(socket, Json.object("op", 2, "d", Json.object("token", ada))); // Identify
        Json ready = frames.next(frame -> "READY".equals(frame.get("t").value()));
        check(listSessions(ada).contains(ready.get("d").text("auth_session_id_hash")), ready);
        System.out.println("Ada connects: READY");
        // An app repeats this at the interval of Hello, with the number of the last event.
        send(socket, Json.object("op", 1, "d", ready.get("s")));
        frames.next(frame -> frame.number("op") == 11);
        System.out.println("Ada connects: the heartbeat is acknowledged");

        Json request = Json.object("username", "ada", "discriminator", null, "note", "From the chess club");
        call("POST", "/users/@me/relationships", request, grace, 204);
        Json event = frames.next(frame -> "RELATIONSHIP_ADD".equals(frame.get("t").value())).get("d");
        check(event.number("type") == 3, event); // INCOMING_REQUEST
        System.out.println("Ada receives RELATIONSHIP_ADD: a request of " + event.get("user").text("username") + ": "
            + event.text("note"));

        // Without a type, an existing request is accepted.
        call("PUT", "/users/@me/relationships/" + event.text("id"), Json.object(), ada, 204);
        event = frames.next(frame -> "RELATIONSHIP_ADD".equals(frame.get("t").value())).get("d");
        check(event.number("type") == 1, event); // FRIEND
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();

        String friends = call("GET", "/users/@me/relationships", null, ada, 200).items().stream()
            .filter(one -> one.number("type") == 1).map(one -> one.get("user").text("username"))
            .collect(Collectors.joining(", "));
        System.out.println("Ada's friends: " + friends);
    }

    /** Ada removes her friend. The call takes effect, and its response never arrives. */
    static void loseResponse(String ada) throws Exception {
        String friend = call("GET", "/users/@me/relationships", null, ada, 200).items().get(0).text("id");
        control("POST", "/faults", Json.object("endpoint", "DELETE /users/@me/relationships/{user.id}",
            "loseResponse", "reset", "times", 1), 201);
        try {
            call("DELETE", "/users/@me/relationships/" + friend, null, ada, 204);
        } catch (IOException lost) {
            int left = call("GET", "/users/@me/relationships", null, ada, 200).items().size();
            System.out.println("Ada removes grace: no response; friends left: " + left);
        }
    }

    /** Waits for a request that another part of the test sends, counts it and verifies it. */
    static void verifyRequests() throws Exception {
        control("DELETE", "/requests", null, 204);
        String query = "?endpoint=Get%20Location%20Metadata";
        CompletableFuture<Json> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return control("GET", "/requests" + query + "&wait=30s", null, 200);
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        });
        call("GET", "/auth/location-metadata", null, null, 200);
        Json request = waiting.get().get("items").items().get(0);
        System.out.println("A test waits for a request: " + request.text("method") + " " + request.text("path") + " "
            + request.number("status"));
        System.out.println("A test counts requests: "
            + control("GET", "/requests/count" + query, null, 200).number("count"));
        String endpoint = "Get Location Metadata";
        control("POST", "/requests/verify", Json.object("endpoint", endpoint, "status", "2xx", "times", 1), 204);
        Json problem = control("POST", "/requests/verify", Json.object("endpoint", endpoint, "status", "503"), 409);
        System.out.println("A test verifies requests: " + problem.text("detail").split("; ")[0]);
    }

    /** Adds an endpoint that the API document does not list. */
    static void useStub() throws Exception {
        Json body = Json.object("id", "{{params.id}}", "page", "{{query.page}}", "sent", "{{body.name}}");
        control("POST", "/stubs", Json.object("endpoint", "POST /guilds/{id}", "status", 201, "body", body), 201);
        Json guild = call("POST", "/guilds/7?page=2", Json.object("name", "Chess club"), null, 201);
        System.out.println("A stub responds: " + guild.text("id") + " " + guild.text("page") + " " + guild.text("sent"));
    }

    static List<String> listSessions(String token) throws Exception {
        return call("GET", "/auth/sessions", null, token, 200).get("user_sessions").items().stream()
            .map(session -> session.text("id_hash")).toList();
    }

    /** Returns the code that the user's authenticator app shows now. */
    static String totpCode(String user) throws Exception {
        return control("GET", "/users/" + user + "/totp", null, 200).text("code");
    }

    /** Calls the control API of the mock, which does what only a person or an administrator could do otherwise. */
    static Json control(String method, String path, Json body, int expected) throws Exception {
        return call(method, "/_mock" + path, body, null, expected);
    }

    /** Sends a request and returns the JSON of its response. The token goes unchanged into {@code Authorization}. */
    static Json call(String method, String path, Json body, String token, int expected, String... headers)
        throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + path))
            .timeout(Duration.ofSeconds(30))
            .header("X-Mock-Namespace", NAMESPACE)
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
        if (token != null) request.header("Authorization", token);
        if (headers.length > 0) request.headers(headers);
        var response = http.send(request.build(), BodyHandlers.ofString());
        check(response.statusCode() == expected, method + " " + path + ": " + response.statusCode() + " " + response.body());
        return response.body().isEmpty() ? new Json(null) : Json.parse(response.body());
    }

    static void send(WebSocket socket, Json frame) {
        socket.sendText(frame.toString(), true).join();
    }

    static void check(boolean isExpected, Object actual) {
        if (!isExpected) throw new IllegalStateException(actual.toString());
    }

    /** Collects the frames of the gateway. */
    static class Frames implements WebSocket.Listener {
        private final BlockingQueue<Json> received = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
            text.append(data);
            if (isLast) {
                received.add(Json.parse(text.toString()));
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, data, isLast);
        }

        /** Returns the next frame that is wanted; others, such as requests for a heartbeat, are skipped. */
        Json next(Predicate<Json> isWanted) throws InterruptedException {
            for (;;) {
                Json frame = received.poll(10, TimeUnit.SECONDS);
                check(frame != null, "no such frame within 10 seconds");
                if (isWanted.test(frame)) return frame;
            }
        }
    }

    /**
     * A JSON value: a Map, List, String, Long, Double, Boolean or null. The JDK has no JSON; in an app, use a library such
     * as Jackson instead.
     */
    record Json(Object value) {
        static Json object(Object... namesAndValues) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < namesAndValues.length; i += 2) fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
            return new Json(fields);
        }

        static Json parse(String text) {
            return new Json(new Parser(text).value());
        }

        Json get(String name) {
            return new Json(value instanceof Map<?, ?> fields ? fields.get(name) : null);
        }

        String text(String name) {
            check(get(name).value instanceof String, "no string " + name + " in " + this);
            return (String) get(name).value;
        }

        long number(String name) {
            check(get(name).value instanceof Long, "no integer " + name + " in " + this);
            return (Long) get(name).value;
        }

        List<Json> items() {
            check(value instanceof List, "no array: " + this);
            return ((List<?>) value).stream().map(Json::new).toList();
        }

        @Override
        public String toString() {
            if (value instanceof Json json) return json.toString();
            if (value instanceof Map<?, ?> fields) {
                return fields.entrySet().stream().map(field -> new Json(field.getKey()) + ":" + new Json(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
            }
            if (value instanceof List<?> list) {
                return list.stream().map(item -> new Json(item).toString()).collect(Collectors.joining(",", "[", "]"));
            }
            if (!(value instanceof String text)) return String.valueOf(value);
            StringBuilder quoted = new StringBuilder("\"");
            for (char c : text.toCharArray()) {
                if (c < ' ' || c == '"' || c == '\\') quoted.append(String.format("\\u%04x", (int) c));
                else quoted.append(c);
            }
            return quoted.append('"').toString();
        }

        /** Parses valid JSON, as the mock sends it. */
        private static class Parser {
            private static final String ESCAPES = "bfnrt\"\\/";
            private static final String ESCAPED = "\b\f\n\r\t\"\\/";
            private final String text;
            private int at;

            Parser(String text) {
                this.text = text;
            }

            Object value() {
                switch (next()) {
                    case '{':
                        Map<String, Object> fields = new LinkedHashMap<>();
                        for (at++; next() != '}'; skipComma()) {
                            String name = string();
                            next();
                            at++; // the colon
                            fields.put(name, value());
                        }
                        at++;
                        return fields;
                    case '[':
                        List<Object> items = new ArrayList<>();
                        for (at++; next() != ']'; skipComma()) items.add(value());
                        at++;
                        return items;
                    case '"':
                        return string();
                    default:
                        int start = at;
                        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                        String word = text.substring(start, at);
                        if (word.equals("null")) return null;
                        if (word.equals("true") || word.equals("false")) return word.equals("true");
                        return word.matches("-?\\d+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
                }
            }

            private char next() {
                while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
                return text.charAt(at);
            }

            private void skipComma() {
                if (next() == ',') at++;
            }

            private String string() {
                StringBuilder string = new StringBuilder();
                for (at++; text.charAt(at) != '"'; at++) {
                    if (text.charAt(at) != '\\') string.append(text.charAt(at));
                    else if (text.charAt(++at) != 'u') string.append(ESCAPED.charAt(ESCAPES.indexOf(text.charAt(at))));
                    else {
                        string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                        at += 4;
                    }
                }
                at++;
                return string.toString();
            }
        }
    }
}
