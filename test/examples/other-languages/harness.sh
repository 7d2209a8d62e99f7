#!/usr/bin/env bash
# Does with curl and jq what tests in any language need of the mock, beyond what the quick starts show.
# Usage: harness.sh URL TOKEN; the mock has the control origin http://localhost:5173 and at most two namespaces.
set -euo pipefail
url=$1 token=$2

# call STATUS METHOD PATH [BODY [OPTION…]]: prints headers and body; fails with another status.
call() {
  local response options=(--silent --show-error --include --max-time 120 --request "$2" "${@:5}")
  if [ -n "${4:-}" ]; then options+=(--header 'Content-Type: application/json' --data "$4"); fi
  response=$(curl "${options[@]}" "$url$3") || return
  [[ $response == "HTTP/1.1 $1 "* ]] || { echo "failed: $2 $3 expected $1: $response" >&2; exit 1; }
  printf '%s' "$response" | tr -d '\r'
}
control() { call "$1" "$2" "/_mock$3" "${4:-}" --header "Authorization: Bearer $token" "${@:5}"; }
json() { sed '1,/^$/d' | jq --exit-status --raw-output "$1"; }
forgot() { call "$1" POST /auth/forgot '{"login": "ada@example.com"}' "${@:2}"; }

# The environment sets token and origins: health needs no token, pages of the listed origin may call the control API.
call 200 GET /_mock/health | json '. == {status: "ok"}' >/dev/null
call 403 GET /_mock/users >/dev/null
page=(--header 'Origin: http://localhost:5173')
control 200 GET /users '' "${page[@]}" | grep -qi '^access-control-allow-origin: http://localhost:5173$'
call 204 OPTIONS /_mock/users '' "${page[@]}" --header 'Access-Control-Request-Method: POST' >/dev/null
control 403 GET /users '' --header 'Origin: http://localhost:5174' | json '.detail | test("--control-origin")' >/dev/null

# Namespaces: with a token only the control API creates them, their IDs differ, and there is a maximum.
call 404 GET /_ns/one/auth/location-metadata >/dev/null
seed='{"users": [{"login": "ada@example.com", "username": "ada", "password": "correct horse"}]}'
id=$(control 200 POST /seed "$seed" | json '.items[0].id')
[ "$id" != "$(control 200 POST /namespaces/one/seed "$seed" | json '.items[0].id')" ]
control 507 GET /namespaces/two/users >/dev/null
control 200 GET /namespaces/one/users '' --header 'X-Mock-Namespace: two' | json '.items | length > 0' >/dev/null
control 204 DELETE /namespaces/one >/dev/null

# Faults: of everything, of those without a body, of the gateway, and a slow response that takes effect at once.
control 201 POST /faults '{"endpoint": "*", "status": 503, "after": 1, "times": 1, "probability": 1}' >/dev/null
call 200 GET /auth/location-metadata >/dev/null
call 503 GET /auth/location-metadata >/dev/null
control 400 POST /faults '{"endpoint": "Create Relationship", "truncate": true}' | json '.detail | test("loseResponse")' >/dev/null
control 400 POST /faults '{"endpoint": "GET /auth/location-meta", "reset": true}' | json '.detail | test("location-metadata")' >/dev/null
upgrade=(--header 'Connection: Upgrade' --header 'Upgrade: websocket' --header 'Sec-WebSocket-Version: 13' --header 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==')
control 200 POST /gateway/refuse '{"status": 403, "body": {"code": 7}, "times": 1}' >/dev/null
call 403 GET /gateway '' "${upgrade[@]}" | json '.code == 7' >/dev/null
control 201 POST /faults '{"endpoint": "Forgot Password", "latency": "1h", "times": 1}' >/dev/null
forgot 200 >/dev/null 2>&1 &
mail=$(control 200 GET '/mail/last?to=ada@example.com&wait=60s' | json .id)
kill $!

# Mails: the next one, and deleting one.
control 404 GET "/mail/last?after=$mail" | json '.detail | test("after")' >/dev/null
forgot 200 --header 'X-Request-Id: 7' --header 'Authorization: s3cret' >/dev/null
control 200 GET "/mail/last?after=$mail&wait=60s" | json '.link | test("token=")' >/dev/null
control 204 DELETE "/mail/$mail" >/dev/null
control 200 GET /mail | json '.items | length == 1' >/dev/null

# The journal has the headers without their secrets; an unknown type of events is refused.
control 200 GET '/requests?endpoint=Forgot%20Password' | json '.items[-1].headers | .["x-request-id"] == "7" and .authorization == "[redacted]"' >/dev/null
control 400 POST /requests/verify '{"times": -1}' >/dev/null
control 400 GET '/events?types=request,mails' | json '.detail | test("mails")' >/dev/null

# Snapshots, also one that was changed; a damaged one changes nothing, and the state can be reset.
control 200 POST /clock/freeze | json .frozen >/dev/null
control 200 PUT /snapshots/one >/dev/null
snapshot=$(control 200 GET /snapshots/one | sed '1,/^$/d')
control 400 PUT /snapshots/two "$(jq '.frozenAt = -1' <<<"$snapshot")" | json '.detail | test("frozenAt")' >/dev/null
control 200 PUT /snapshots/two "$snapshot" | json '.excludes[0] == "policy"' >/dev/null
control 204 DELETE /users >/dev/null
control 204 POST /snapshots/two/restore >/dev/null
control 200 GET /users | json '.items | length == 1' >/dev/null
control 400 POST /stubs '{"endpoint": "GET /_mock/users", "body": 1}' >/dev/null
control 204 POST /reset >/dev/null
control 200 GET /users | json '.items == []' >/dev/null
echo done
