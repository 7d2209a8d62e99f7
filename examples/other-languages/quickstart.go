// Uses the mock of the service from Go: sign-in with a second factor, step-up, registration, friends, gateway events,
// and what a test needs around them: lost responses, waiting for requests, counting and verifying them, stubs.
//
//	go run quickstart.go [http://127.0.0.1:4817]
//
// Needs Go 1.19 or newer, no module, and a running `rapport-mock`.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Each namespace has its own accounts, mailbox and gateway, so parallel tests can share one mock.
const (
	namespace = "go-quickstart"
	password  = "correct horse battery staple"
)

// object is a JSON object.
type object = map[string]any

var (
	baseURL = "http://127.0.0.1:4817"
	client  = &http.Client{Timeout: 30 * time.Second}
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "failed:", err)
		os.Exit(1)
	}
}

func require(isTrue bool, seen any) {
	if !isTrue {
		check(fmt.Errorf("unexpected response: %v", seen))
	}
}

// send sends a request and decodes the JSON of its response into result. The token goes unchanged into Authorization.
func send(method, path string, body any, token string, expect int, result any, headers ...string) error {
	content := &bytes.Buffer{}
	if body != nil {
		if err := json.NewEncoder(content).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, baseURL+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("X-Mock-Namespace", namespace)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != expect {
		return fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, data)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(data, result)
}

// call sends a request, and ends the program if it fails.
func call(method, path string, body any, token string, expect int, result any, headers ...string) {
	check(send(method, path, body, token, expect, result, headers...))
}

// control calls the control API of the mock, which does what only a person or an administrator could do otherwise.
func control(method, path string, body any, expect int, result any) {
	call(method, "/_mock"+path, body, "", expect, result)
}

// prepare gives the namespace two accounts and nothing else.
func prepare() {
	control("POST", "/reset", nil, 204, nil)
	control("DELETE", "/users", nil, 204, nil)
	for name, mfa := range map[string][]string{"ada": {"totp"}, "grace": {}} {
		account := object{"login": name + "@example.com", "username": name, "password": password, "mfa": mfa}
		control("POST", "/users", account, 201, nil)
	}
}

// totpCode returns the code that the user's authenticator app shows now.
func totpCode(name string) string {
	var code struct{ Code string }
	control("GET", "/users/"+name+"/totp", nil, 200, &code)
	return code.Code
}

type token struct{ Token string }

// signIn signs Ada in with her password and her second factor. Returns her token.
func signIn() string {
	var login struct {
		Mfa, Totp       bool
		Ticket          string
		LoginInstanceID string `json:"login_instance_id"`
	}
	call("POST", "/auth/login", object{"login": "ada@example.com", "password": password}, "", 200, &login)
	require(login.Mfa && login.Totp, login)
	fmt.Println("Ada signs in: the password is right, and a second factor is required")
	var signedIn token
	// Ticket and instance are those of the first response.
	factor := object{"ticket": login.Ticket, "login_instance_id": login.LoginInstanceID, "code": totpCode("ada")}
	call("POST", "/auth/mfa/totp", factor, "", 200, &signedIn)
	fmt.Println("Ada signs in: the code is right")
	return signedIn.Token
}

func listSessions(token string) []string {
	var list struct {
		Sessions []struct {
			Hash string `json:"id_hash"`
		} `json:"user_sessions"`
	}
	call("GET", "/auth/sessions", nil, token, 200, &list)
	hashes := []string{}
	for _, session := range list.Sessions {
		hashes = append(hashes, session.Hash)
	}
	return hashes
}

func includes(list []string, item string) bool {
	for _, one := range list {
		if one == item {
			return true
		}
	}
	return false
}

// endOtherSession ends another session of Ada: a sensitive call, which requires step-up.
func endOtherSession(ada string) {
	before := listSessions(ada)
	control("POST", "/tokens", object{"user": "ada"}, 201, nil) // as if she had signed in on a laptop
	others := []string{}
	for _, hash := range listSessions(ada) {
		if !includes(before, hash) {
			others = append(others, hash)
		}
	}
	body := object{"session_id_hashes": others}

	var refused struct {
		Code int
		Mfa  struct {
			Ticket  string
			Methods []struct{ Type string }
		}
	}
	call("POST", "/auth/sessions/logout", body, ada, 401, &refused)
	require(refused.Code == 60003, refused)
	methods := []string{}
	for _, method := range refused.Mfa.Methods {
		methods = append(methods, method.Type)
	}
	fmt.Println("Ada ends a session: refused with 60003, methods:", strings.Join(methods, ", "))

	var proof token
	verification := object{"ticket": refused.Mfa.Ticket, "mfa_type": "totp", "data": totpCode("ada")}
	call("POST", "/mfa/finish", verification, ada, 200, &proof)
	// The same request again, with the proof. It is valid for five minutes, also for other calls.
	call("POST", "/auth/sessions/logout", body, ada, 204, nil, "X-Service-MFA-Authorization", proof.Token)
	fmt.Println("Ada ends a session: verified; sessions left:", len(listSessions(ada)))
}

// register registers Linus with a phone number, which he proves with the code in an SMS.
func register() {
	phone := "+15555550142"
	call("POST", "/auth/register/phone", object{"phone": phone}, "", 204, nil)
	var sms struct{ Code string }
	// Waits until the message was sent.
	query := url.Values{"to": {phone}, "kind": {"phone_verification"}, "wait": {"5s"}}
	control("GET", "/sms/last?"+query.Encode(), nil, 200, &sms)
	var proof, signedIn token
	// The API document does not show the call that verifies the code, so the mock has it in its control API.
	control("POST", "/phone-tokens", object{"phone": phone, "code": sms.Code}, 201, &proof)
	account := object{"username": "linus", "phone_token": proof.Token, "password": password}
	call("POST", "/auth/register", account, "", 200, &signedIn)
	require(len(listSessions(signedIn.Token)) == 1, "sessions of linus")
	fmt.Printf("Linus registers: a code of %d digits by SMS, and he is signed in\n", len(sms.Code))
}

// signInByMail signs Grace in with the token in a mail, because she has forgotten her password. Returns her token.
func signInByMail() string {
	call("POST", "/auth/forgot", object{"login": "grace@example.com"}, "", 200, nil)
	var mail struct{ Kind, Ticket string }
	control("GET", "/mail/last?to=grace@example.com&kind=password_reset&wait=5s", nil, 200, &mail)
	var signedIn token
	call("POST", "/auth/one-time-login", object{"ticket": mail.Ticket}, "", 200, &signedIn)
	fmt.Println("Grace signs in: with the link in the mail", mail.Kind)
	return signedIn.Token
}

// frame is a message of the gateway.
type frame struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
	S  *int            `json:"s"`
	T  *string         `json:"t"`
}

// socket is a WebSocket with short messages, which is all that this program needs. In an app, use a module for WebSocket.
type socket struct {
	net.Conn
	reader *bufio.Reader
}

func connect() *socket {
	address, err := url.Parse(baseURL)
	check(err)
	connection, err := net.DialTimeout("tcp", address.Host, 10*time.Second)
	check(err)
	check(connection.SetDeadline(time.Now().Add(time.Minute)))
	// A path instead of the header also works in browsers, whose WebSocket cannot send headers.
	upgrade, err := http.NewRequest("GET", baseURL+"/_ns/"+namespace+"/gateway", nil)
	check(err)
	upgrade.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}}
	upgrade.Header.Set("Sec-WebSocket-Version", "13")
	upgrade.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
	check(upgrade.Write(connection))
	reader := bufio.NewReader(connection)
	response, err := http.ReadResponse(reader, upgrade)
	check(err)
	require(response.StatusCode == http.StatusSwitchingProtocols, response.Status)
	return &socket{connection, reader}
}

// send sends a text message, masked with a key of zeros.
func (s *socket) send(value any) {
	data, err := json.Marshal(value)
	check(err)
	require(len(data) < 65536, "a long message")
	header := []byte{0x81, 0x80 | 126, byte(len(data) >> 8), byte(len(data)), 0, 0, 0, 0}
	_, err = s.Write(append(header, data...))
	check(err)
}

// receive returns the next frame that is wanted; others, such as requests for a heartbeat, are skipped.
func (s *socket) receive(isWanted func(frame) bool) frame {
	for {
		header := make([]byte, 2)
		_, err := io.ReadFull(s.reader, header)
		check(err)
		length := uint64(header[1])
		if sizes := map[uint64]int{126: 2, 127: 8}; sizes[length] > 0 {
			extended := make([]byte, 8)
			_, err = io.ReadFull(s.reader, extended[8-sizes[length]:])
			check(err)
			length = binary.BigEndian.Uint64(extended)
		}
		require(length < 1<<20, "a long message")
		data := make([]byte, length)
		_, err = io.ReadFull(s.reader, data)
		check(err)
		if header[0] != 0x81 {
			continue // no text
		}
		var received frame
		check(json.Unmarshal(data, &received))
		if isWanted(received) {
			return received
		}
	}
}

func withOp(op int) func(frame) bool { return func(one frame) bool { return one.Op == op } }
func withType(name string) func(frame) bool {
	return func(one frame) bool { return one.T != nil && *one.T == name }
}

type relationship struct {
	ID   string
	Type int
	Note string
	User struct{ Username string }
}

// followGateway receives the friend request of Grace as an event, and accepts it.
func followGateway(ada, grace string) {
	connection := connect()
	defer connection.Close()
	var hello struct {
		Interval int `json:"heartbeat_interval"`
	}
	check(json.Unmarshal(connection.receive(withOp(10)).D, &hello))
	fmt.Println("Ada connects: Hello, a heartbeat every", hello.Interval, "ms")
	connection.send(object{"op": 2, "d": object{"token": ada}}) // Identify
	first := connection.receive(withType("READY"))
	var ready struct {
		Hash string `json:"auth_session_id_hash"`
	}
	check(json.Unmarshal(first.D, &ready))
	require(includes(listSessions(ada), ready.Hash), ready)
	fmt.Println("Ada connects: READY")
	// An app repeats this at the interval of Hello, with the number of the last event.
	connection.send(object{"op": 1, "d": first.S})
	connection.receive(withOp(11))
	fmt.Println("Ada connects: the heartbeat is acknowledged")

	request := object{"username": "ada", "discriminator": nil, "note": "From the chess club"}
	call("POST", "/users/@me/relationships", request, grace, 204, nil)
	var received, accepted relationship
	check(json.Unmarshal(connection.receive(withType("RELATIONSHIP_ADD")).D, &received))
	require(received.Type == 3, received) // INCOMING_REQUEST
	fmt.Printf("Ada receives RELATIONSHIP_ADD: a request of %s: %s\n", received.User.Username, received.Note)

	// Without a type, an existing request is accepted.
	call("PUT", "/users/@me/relationships/"+received.ID, object{}, ada, 204, nil)
	check(json.Unmarshal(connection.receive(withType("RELATIONSHIP_ADD")).D, &accepted))
	require(accepted.Type == 1, accepted) // FRIEND
	var all []relationship
	call("GET", "/users/@me/relationships", nil, ada, 200, &all)
	friends := []string{}
	for _, one := range all {
		if one.Type == 1 {
			friends = append(friends, one.User.Username)
		}
	}
	fmt.Println("Ada's friends:", strings.Join(friends, ", "))
}

// loseResponse removes a friend of Ada. The call takes effect, and its response never arrives.
func loseResponse(ada string) {
	var before, left []relationship
	call("GET", "/users/@me/relationships", nil, ada, 200, &before)
	endpoint := "DELETE /users/@me/relationships/{user.id}"
	control("POST", "/faults", object{"endpoint": endpoint, "loseResponse": "reset", "times": 1}, 201, nil)
	err := send("DELETE", "/users/@me/relationships/"+before[0].ID, nil, ada, 204, nil)
	var lost *url.Error
	require(errors.As(err, &lost), err)
	call("GET", "/users/@me/relationships", nil, ada, 200, &left)
	fmt.Println("Ada removes grace: no response; friends left:", len(left))
}

// verifyRequests waits for a request that another part of the test sends, counts it and verifies it.
func verifyRequests() {
	control("DELETE", "/requests", nil, 204, nil)
	endpoint := "Get Location Metadata"
	query := "endpoint=" + url.QueryEscape(endpoint)
	var received struct {
		Items []struct {
			Method, Path string
			Status       int
		}
	}
	sent := make(chan struct{})
	go func() {
		call("GET", "/auth/location-metadata", nil, "", 200, nil)
		close(sent)
	}()
	control("GET", "/requests?wait=30s&"+query, nil, 200, &received)
	<-sent
	first := received.Items[0]
	fmt.Println("A test waits for a request:", first.Method, first.Path, first.Status)
	var counted struct{ Count int }
	control("GET", "/requests/count?"+query, nil, 200, &counted)
	fmt.Println("A test counts requests:", counted.Count)
	control("POST", "/requests/verify", object{"endpoint": endpoint, "status": "2xx", "times": 1}, 204, nil)
	var problem struct{ Detail string }
	control("POST", "/requests/verify", object{"endpoint": endpoint, "status": "503"}, 409, &problem)
	fmt.Println("A test verifies requests:", strings.Split(problem.Detail, "; ")[0])
}

// useStub adds an endpoint that the API document does not list.
func useStub() {
	body := object{"id": "{{params.id}}", "page": "{{query.page}}", "sent": "{{body.name}}"}
	control("POST", "/stubs", object{"endpoint": "POST /guilds/{id}", "status": 201, "body": body}, 201, nil)
	var guild struct{ ID, Page, Sent string }
	call("POST", "/guilds/7?page=2", object{"name": "Chess club"}, "", 201, &guild)
	fmt.Println("A stub responds:", guild.ID, guild.Page, guild.Sent)
}

func main() {
	if address := os.Getenv("MOCK_URL"); address != "" {
		baseURL = address
	}
	if len(os.Args) > 1 {
		baseURL = os.Args[1]
	}
	baseURL = strings.TrimRight(baseURL, "/")
	prepare()
	ada := signIn()
	endOtherSession(ada)
	register()
	followGateway(ada, signInByMail())
	loseResponse(ada)
	verifyRequests()
	useStub()
}
