"""Uses the mock of the service from Python: sign-in with a second factor, step-up, registration, friends, gateway events, and
what a test needs around them: lost responses, waiting for requests, counting and verifying them, stubs.

    python3 quickstart.py [http://127.0.0.1:4817]

Needs `requests` and `websockets` (Debian: python3-requests, python3-websockets) and a running `rapport-mock`.
"""

import asyncio
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import requests
import websockets

BASE_URL = (sys.argv[1:] + [os.environ.get("MOCK_URL", "http://127.0.0.1:4817")])[0].rstrip("/")

# Each namespace has its own accounts, mailbox and gateway, so parallel tests can share one mock.
NAMESPACE = "python-quickstart"
PASSWORD = "correct horse battery staple"

session = requests.Session()
session.headers["X-Mock-Namespace"] = NAMESPACE


class UnexpectedStatus(Exception):
    """A response whose status is not the expected one."""


def call(method, path, body=None, token=None, expect=200, **headers):
    """Sends a request and returns the JSON of its response. The token goes unchanged into `Authorization`."""
    if token is not None:
        headers["Authorization"] = token
    response = session.request(method, BASE_URL + path, json=body, headers=headers, timeout=30)
    if response.status_code != expect:
        raise UnexpectedStatus(f"{method} {path}: {response.status_code} {response.text}")
    return response.json() if response.content else None


def control(method, path, body=None, expect=200):
    """Calls the control API of the mock, which does what only a person or an administrator could do otherwise."""
    return call(method, f"/_mock{path}", body, expect=expect)


def prepare():
    """Gives the namespace two accounts and nothing else."""
    control("POST", "/reset", expect=204)
    control("DELETE", "/users", expect=204)
    for name, mfa in (("ada", ["totp"]), ("grace", [])):
        account = {"login": f"{name}@example.com", "username": name, "password": PASSWORD, "mfa": mfa}
        control("POST", "/users", account, expect=201)


def totp_code(name):
    """Returns the code that the user's authenticator app shows now."""
    return control("GET", f"/users/{name}/totp")["code"]


def sign_in():
    """Signs Ada in with her password and her second factor. Returns her token."""
    login = call("POST", "/auth/login", {"login": "ada@example.com", "password": PASSWORD})
    assert login["mfa"] and login["totp"], login
    print("Ada signs in: the password is right, and a second factor is required")
    # Both values are those of the first response.
    factor = {key: login[key] for key in ("ticket", "login_instance_id")}
    token = call("POST", "/auth/mfa/totp", {**factor, "code": totp_code("ada")})["token"]
    print("Ada signs in: the code is right")
    return token


def list_sessions(token):
    return [one["id_hash"] for one in call("GET", "/auth/sessions", token=token)["user_sessions"]]


def end_other_session(token):
    """Ends another session of Ada: a sensitive call, which requires step-up."""
    before = list_sessions(token)
    control("POST", "/tokens", {"user": "ada"}, expect=201)  # as if she had signed in on a laptop
    body = {"session_id_hashes": [one for one in list_sessions(token) if one not in before]}

    refused = call("POST", "/auth/sessions/logout", body, token, expect=401)
    assert refused["code"] == 60003, refused
    mfa = refused["mfa"]
    print("Ada ends a session: refused with 60003, methods:", ", ".join(one["type"] for one in mfa["methods"]))

    verification = {"ticket": mfa["ticket"], "mfa_type": "totp", "data": totp_code("ada")}
    jwt = call("POST", "/mfa/finish", verification, token)["token"]
    # The same request again, with the proof. It is valid for five minutes, also for other calls.
    call("POST", "/auth/sessions/logout", body, token, 204, **{"X-Service-MFA-Authorization": jwt})
    print("Ada ends a session: verified; sessions left:", len(list_sessions(token)))


def register():
    """Registers Linus with a phone number, which he proves with the code in an SMS."""
    phone = "+15555550142"
    call("POST", "/auth/register/phone", {"phone": phone}, expect=204)
    # Waits until the message was sent.
    sms = control("GET", f"/sms/last?to=%2B{phone[1:]}&kind=phone_verification&wait=5s")
    # The API document does not show the call that verifies the code, so the mock has it in its control API.
    proof = control("POST", "/phone-tokens", {"phone": phone, "code": sms["code"]}, expect=201)
    account = {"username": "linus", "phone_token": proof["token"], "password": PASSWORD}
    token = call("POST", "/auth/register", account)["token"]
    assert len(list_sessions(token)) == 1
    print(f"Linus registers: a code of {len(sms['code'])} digits by SMS, and he is signed in")


def sign_in_by_mail():
    """Signs Grace in with the token in a mail, because she has forgotten her password. Returns her token."""
    call("POST", "/auth/forgot", {"login": "grace@example.com"})
    mail = control("GET", "/mail/last?to=grace@example.com&kind=password_reset&wait=5s")
    token = call("POST", "/auth/one-time-login", {"ticket": mail["ticket"]})["token"]
    print("Grace signs in: with the link in the mail", mail["kind"])
    return token


async def receive(socket, is_wanted):
    """Returns the next frame that is wanted; others, such as requests for a heartbeat, are skipped."""
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), timeout=10))
        if is_wanted(frame):
            return frame


async def follow_gateway(ada, grace):
    """Receives the friend request of Grace as an event, and accepts it."""
    # A path instead of the header also works in browsers, whose WebSocket cannot send headers.
    url = f"ws{BASE_URL[len('http'):]}/_ns/{NAMESPACE}/gateway"
    async with websockets.connect(url) as socket:
        hello = await receive(socket, lambda frame: frame["op"] == 10)
        print("Ada connects: Hello, a heartbeat every", hello["d"]["heartbeat_interval"], "ms")
        await socket.send(json.dumps({"op": 2, "d": {"token": ada}}))  # Identify
        ready = await receive(socket, lambda frame: frame["t"] == "READY")
        assert ready["d"]["auth_session_id_hash"] in list_sessions(ada)
        print("Ada connects: READY")
        # An app repeats this at the interval of Hello, with the number of the last event.
        await socket.send(json.dumps({"op": 1, "d": ready["s"]}))
        await receive(socket, lambda frame: frame["op"] == 11)
        print("Ada connects: the heartbeat is acknowledged")

        request = {"username": "ada", "discriminator": None, "note": "From the chess club"}
        await asyncio.to_thread(call, "POST", "/users/@me/relationships", request, grace, 204)
        event = (await receive(socket, lambda frame: frame["t"] == "RELATIONSHIP_ADD"))["d"]
        assert event["type"] == 3, event  # INCOMING_REQUEST
        print(f"Ada receives RELATIONSHIP_ADD: a request of {event['user']['username']}: {event['note']}")

        # Without a type, an existing request is accepted.
        await asyncio.to_thread(call, "PUT", f"/users/@me/relationships/{event['id']}", {}, ada, 204)
        event = (await receive(socket, lambda frame: frame["t"] == "RELATIONSHIP_ADD"))["d"]
        assert event["type"] == 1, event  # FRIEND
    relationships = call("GET", "/users/@me/relationships", token=ada)
    print("Ada's friends:", ", ".join(one["user"]["username"] for one in relationships if one["type"] == 1))


def lose_response(ada):
    """Ada removes her friend. The call takes effect, and its response never arrives."""
    friend = call("GET", "/users/@me/relationships", token=ada)[0]["id"]
    endpoint = "DELETE /users/@me/relationships/{user.id}"
    control("POST", "/faults", {"endpoint": endpoint, "loseResponse": "reset", "times": 1}, expect=201)
    try:
        call("DELETE", f"/users/@me/relationships/{friend}", token=ada, expect=204)
    except requests.ConnectionError:
        left = call("GET", "/users/@me/relationships", token=ada)
        print("Ada removes grace: no response; friends left:", len(left))


def verify_requests():
    """Waits for a request that another part of the test sends, counts it and verifies it."""
    control("DELETE", "/requests", expect=204)
    endpoint = "Get Location Metadata"
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(control, "GET", f"/requests?endpoint={endpoint}&wait=30s")
        call("GET", "/auth/location-metadata")
        received = waiting.result()["items"]
    print("A test waits for a request:", received[0]["method"], received[0]["path"], received[0]["status"])
    print("A test counts requests:", control("GET", f"/requests/count?endpoint={endpoint}")["count"])
    control("POST", "/requests/verify", {"endpoint": endpoint, "status": "2xx", "times": 1}, expect=204)
    problem = control("POST", "/requests/verify", {"endpoint": endpoint, "status": "503"}, expect=409)
    print("A test verifies requests:", problem["detail"].split("; ")[0])


def use_stub():
    """Adds an endpoint that the API document does not list."""
    body = {"id": "{{params.id}}", "page": "{{query.page}}", "sent": "{{body.name}}"}
    control("POST", "/stubs", {"endpoint": "POST /guilds/{id}", "status": 201, "body": body}, expect=201)
    guild = call("POST", "/guilds/7?page=2", {"name": "Chess club"}, expect=201)
    print("A stub responds:", guild["id"], guild["page"], guild["sent"])


def main():
    prepare()
    ada = sign_in()
    end_other_session(ada)
    register()
    asyncio.run(follow_gateway(ada, sign_in_by_mail()))
    lose_response(ada)
    verify_requests()
    use_stub()


try:
    main()
except (requests.RequestException, UnexpectedStatus) as error:
    sys.exit(f"failed: {error}")
