#!/usr/bin/env bash
# Uses the mock of the service with curl: sign-in with a second factor, step-up, registration, friends, gateway events, and
# what a test needs around them: lost responses, waiting for requests, counting and verifying them, stubs.
#
#   bash quickstart.sh [http://127.0.0.1:4817]
#
# Needs bash, curl, jq, oathtool, and a running `rapport-mock`.
set -euo pipefail

base_url=${1:-${MOCK_URL:-http://127.0.0.1:4817}}
# Each namespace has its own accounts, mailbox and gateway, so parallel tests can share one mock.
namespace=curl-quickstart
password='correct horse battery staple'

fail() {
  echo "failed: $1" >&2
  exit 1
}

# Sends a request with a JSON body and prints the body of the response: call EXPECTED_STATUS METHOD PATH [BODY [HEADER…]]
call() {
  local expected=$1 method=$2 path=$3 body=${4:-} response status
  local options=(--silent --show-error --max-time 30 --request "$method" --header "X-Mock-Namespace: $namespace")
  if [ -n "$body" ]; then options+=(--header 'Content-Type: application/json' --data "$body"); fi
  for header in "${@:5}"; do options+=(--header "$header"); done
  # The status follows the body, on a line of its own.
  response=$(curl "${options[@]}" --write-out '\n%{http_code}' "$base_url$path")
  status=${response##*$'\n'} response=${response%$'\n'*}
  [ "$status" = "$expected" ] || fail "$method $path: $status $response"
  printf '%s' "$response"
}

# Calls the control API of the mock, which does what only a person or an administrator could do otherwise.
control() {
  call "$1" "$2" "/_mock$3" "${@:4}"
}

# The namespace gets two accounts and nothing else.
control 204 POST /reset
control 204 DELETE /users
control 201 POST /users "$(jq -n --arg p "$password" '{login: "ada@example.com", username: "ada", password: $p, mfa: ["totp"]}')" >/dev/null
control 201 POST /users "$(jq -n --arg p "$password" '{login: "grace@example.com", username: "grace", password: $p}')" >/dev/null

# The secret that Ada's authenticator app has scanned.
secret=$(control 200 GET /users/ada/totp | jq -r .secret)
totp_code() {
  oathtool --totp --base32 "$secret"
}

# Ada signs in with her password and her second factor.
login=$(call 200 POST /auth/login "$(jq -n --arg p "$password" '{login: "ada@example.com", password: $p}')")
jq -e '.mfa and .totp' <<<"$login" >/dev/null || fail "no second factor is required: $login"
echo 'Ada signs in: the password is right, and a second factor is required'
ada=$(call 200 POST /auth/mfa/totp "$(jq --arg c "$(totp_code)" '{ticket, login_instance_id, code: $c}' <<<"$login")" | jq -r .token)
echo 'Ada signs in: the code is right'

# Ada ends another session: a sensitive call, which requires step-up. The token goes unchanged into `Authorization`.
before=$(call 200 GET /auth/sessions '' "Authorization: $ada")
control 201 POST /tokens '{"user": "ada"}' >/dev/null # as if she had signed in on a laptop
after=$(call 200 GET /auth/sessions '' "Authorization: $ada")
sessions=$(jq -n --argjson before "$before" --argjson after "$after" \
  '{session_id_hashes: ([$after.user_sessions[].id_hash] - [$before.user_sessions[].id_hash])}')
refused=$(call 401 POST /auth/sessions/logout "$sessions" "Authorization: $ada")
jq -e '.code == 60003' <<<"$refused" >/dev/null || fail "not a step-up: $refused"
echo "Ada ends a session: refused with 60003, methods: $(jq -r '[.mfa.methods[].type] | join(", ")' <<<"$refused")"
verification=$(jq --arg c "$(totp_code)" '{ticket: .mfa.ticket, mfa_type: "totp", data: $c}' <<<"$refused")
jwt=$(call 200 POST /mfa/finish "$verification" "Authorization: $ada" | jq -r .token)
# The same request again, with the proof. It is valid for five minutes, also for other calls.
call 204 POST /auth/sessions/logout "$sessions" "Authorization: $ada" "X-Service-MFA-Authorization: $jwt"
left=$(call 200 GET /auth/sessions '' "Authorization: $ada" | jq '.user_sessions | length')
echo "Ada ends a session: verified; sessions left: $left"

# Linus registers with a phone number, which he proves with the code in an SMS.
call 204 POST /auth/register/phone '{"phone": "+15555550142"}'
# Waits until the message was sent.
code=$(control 200 GET '/sms/last?to=%2B15555550142&kind=phone_verification&wait=5s' | jq -r .code)
# The API document does not show the call that verifies the code, so the mock has it in its control API.
proof=$(control 201 POST /phone-tokens "{\"phone\": \"+15555550142\", \"code\": \"$code\"}")
account=$(jq --arg p "$password" '{username: "linus", phone_token: .token, password: $p}' <<<"$proof")
linus=$(call 200 POST /auth/register "$account" | jq -r .token)
call 200 GET /auth/sessions '' "Authorization: $linus" >/dev/null
echo "Linus registers: a code of ${#code} digits by SMS, and he is signed in"

# Grace has forgotten her password, and signs in with the token in a mail.
call 200 POST /auth/forgot '{"login": "grace@example.com"}' >/dev/null
mail=$(control 200 GET '/mail/last?to=grace@example.com&kind=password_reset&wait=5s')
grace=$(call 200 POST /auth/one-time-login "$(jq '{ticket}' <<<"$mail")" | jq -r .token)
echo "Grace signs in: with the link in the mail $(jq -r .kind <<<"$mail")"

# The gateway. Few builds of curl send WebSocket messages, but bash can open a connection itself. RFC 6455.
authority=${base_url#http://}
exec 3<>"/dev/tcp/${authority%:*}/${authority##*:}"
printf '%s\r\n' 'GET /gateway HTTP/1.1' "Host: $authority" "X-Mock-Namespace: $namespace" 'Connection: Upgrade' \
  'Upgrade: websocket' 'Sec-WebSocket-Version: 13' "Sec-WebSocket-Key: $(head -c 16 /dev/urandom | base64)" '' >&3
IFS= read -r -t 10 status <&3
[[ $status == 'HTTP/1.1 101 '* ]] || fail "the gateway answers $status"
until [ "${status%$'\r'}" = '' ]; do IFS= read -r -t 10 status <&3; done

# Reads some bytes of the connection, and no more than these.
read_bytes() {
  timeout 10 dd bs=1 count="$1" status=none <&3
}

# Prints the next message that a filter of jq selects; others, such as requests for a heartbeat, are skipped.
receive() {
  local length message
  for ((;;)); do
    length=$(read_bytes 2 | od -An -tu1 | awk '{ print $2 }')
    if [ "${length:-127}" = 126 ]; then length=$(read_bytes 2 | od -An -tu1 | awk '{ print $1 * 256 + $2 }'); fi
    [ "${length:-127}" != 127 ] || fail "no message within 10 seconds that is $1"
    message=$(read_bytes "$length")
    if jq -e "$1" <<<"$message" >/dev/null; then break; fi
  done
  printf '%s' "$message"
}

# Sends a message of fewer than 65,536 ASCII characters. A client masks it; the mask 0 leaves it as it is.
send() {
  local length=${#1} bytes
  if ((length < 126)); then bytes=$((128 + length)); else bytes="254 $((length / 256)) $((length % 256))"; fi
  # shellcheck disable=SC2059,SC2046,SC2086
  printf "$(printf '\\x%02x' 129 $bytes 0 0 0 0)%s" "$1" >&3
}

hello=$(receive '.op == 10')
echo "Ada connects: Hello, a heartbeat every $(jq .d.heartbeat_interval <<<"$hello") ms"
send "$(jq -nc --arg t "$ada" '{op: 2, d: {token: $t}}')" # Identify
ready=$(receive '.t == "READY"')
jq -e '.d.auth_session_id_hash | length > 0' <<<"$ready" >/dev/null || fail "not READY: $ready"
echo 'Ada connects: READY'
# An app repeats this at the interval of Hello, with the number of the last event.
send "$(jq -c '{op: 1, d: .s}' <<<"$ready")"
receive '.op == 11' >/dev/null
echo 'Ada connects: the heartbeat is acknowledged'

# Grace sends a friend request, which Ada receives as an event and accepts.
request='{"username": "ada", "discriminator": null, "note": "From the chess club"}'
call 204 POST /users/@me/relationships "$request" "Authorization: $grace"
event=$(receive '.t == "RELATIONSHIP_ADD"')
jq -e '.d.type == 3' <<<"$event" >/dev/null || fail "not an incoming request: $event"
echo "Ada receives RELATIONSHIP_ADD: a request of $(jq -r '"\(.d.user.username): \(.d.note)"' <<<"$event")"
# Without a type, an existing request is accepted.
call 204 PUT "/users/@me/relationships/$(jq -r .d.id <<<"$event")" '{}' "Authorization: $ada"
event=$(receive '.t == "RELATIONSHIP_ADD"')
jq -e '.d.type == 1' <<<"$event" >/dev/null || fail "not a friend: $event"
friends=$(call 200 GET /users/@me/relationships '' "Authorization: $ada")
echo "Ada's friends: $(jq -r '[.[] | select(.type == 1).user.username] | join(", ")' <<<"$friends")"

# Ada removes her friend. The call takes effect, and its response never arrives.
friend=$(jq -r '.[0].id' <<<"$friends")
control 201 POST /faults \
  '{"endpoint": "DELETE /users/@me/relationships/{user.id}", "loseResponse": "reset", "times": 1}' >/dev/null
if curl --silent --max-time 30 --request DELETE --header "X-Mock-Namespace: $namespace" --header "Authorization: $ada" \
  "$base_url/users/@me/relationships/$friend"; then fail 'the response was not lost'; fi
left=$(call 200 GET /users/@me/relationships '' "Authorization: $ada" | jq length)
echo "Ada removes grace: no response; friends left: $left"

# A test waits for a request that another part of it sends, counts it and verifies it.
control 204 DELETE /requests
endpoint='Get%20Location%20Metadata'
exec 4< <(control 200 GET "/requests?endpoint=$endpoint&wait=30s")
call 200 GET /auth/location-metadata >/dev/null
received=$(cat <&4)
exec 4<&-
echo "A test waits for a request: $(jq -r '.items[0] | "\(.method) \(.path) \(.status)"' <<<"$received")"
echo "A test counts requests: $(control 200 GET "/requests/count?endpoint=$endpoint" | jq .count)"
control 204 POST /requests/verify '{"endpoint": "Get Location Metadata", "status": "2xx", "times": 1}'
problem=$(control 409 POST /requests/verify '{"endpoint": "Get Location Metadata", "status": "503"}')
echo "A test verifies requests: $(jq -r '.detail | split("; ")[0]' <<<"$problem")"

# A stub is an endpoint that the API document does not list.
control 201 POST /stubs '{"endpoint": "POST /guilds/{id}", "status": 201,
  "body": {"id": "{{params.id}}", "page": "{{query.page}}", "sent": "{{body.name}}"}}' >/dev/null
guild=$(call 201 POST '/guilds/7?page=2' '{"name": "Chess club"}')
echo "A stub responds: $(jq -r '"\(.id) \(.page) \(.sent)"' <<<"$guild")"
