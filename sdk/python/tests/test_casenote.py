"""Against the real service, with a proxy between that makes trouble as told: run by packages/server/test/sdk."""

import asyncio
import functools
import inspect
import json
import os
import threading
import time
import unittest
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional, Type

from casenote import (
    ApiError,
    AsyncCasenote,
    Casenote,
    ConnectionError,
    GatewayError,
    NoteUnchangedError,
    NotReadyError,
    PartnerApiError,
    TimeoutError,
    headers_of,
)
from casenote._flow import Answer, Call, NeedToken, Settings, run_call

given: Dict[str, Any] = json.loads(os.environ["CASENOTE_TEST"])
partner: Dict[str, str] = given["partner"]
UNAVAILABLE = {"status": 503, "headers": {"content-type": "application/json"}, "body": "{}"}
LIMITED = {"status": 429, "headers": {"retry-after": "0"}, "body": '{"message":"Too Many Requests"}'}


def options(**others: Any) -> Dict[str, Any]:
    return {
        "base_url": given["baseUrl"],
        "api_key": partner["apiKey"],
        "client_id": partner["credentialId"],
        "client_secret": partner["clientSecret"],
        **others,
    }


def make_client(**others: Any) -> Casenote:
    return Casenote(**options(**others))


def control(troubles: Any = None, *, method: Optional[str] = None) -> List[Dict[str, Any]]:
    """What the proxy saw; with troubles it forgets that, and makes them."""
    data = None if troubles is None else json.dumps(troubles).encode()
    url = given["baseUrl"].replace("/v2", "/control")
    with urllib.request.urlopen(urllib.request.Request(url, data=data, method=method)) as answer:
        seen: List[Dict[str, Any]] = json.load(answer)
        return seen


def count(beginning: str) -> int:
    return sum(one["request"].startswith(beginning) for one in control())


def statuses() -> List[int]:
    return [one["status"] for one in control()]


class CasenoteTest(unittest.TestCase):
    casenote: Casenote

    @classmethod
    def setUpClass(cls) -> None:
        control([])  # What the class before left.
        cls.casenote = make_client()
        cls.casenote.partners.read()

    def setUp(self) -> None:
        control([])

    def refusal(self, kind: Type[Exception], call: Callable[[], Any]) -> Any:
        with self.assertRaises(kind) as caught:
            call()
        return caught.exception


class EveryOperation(CasenoteTest):
    def call(self, client: Any, operation: Dict[str, Any]) -> Any:
        method = getattr(getattr(client, operation["resource"]), operation["method"])
        made = method(*operation["args"])
        return made.first() if hasattr(made, "first") else made

    def judge(self, operation: Dict[str, Any], outcome: Any) -> None:
        last = control()[-1]["request"]
        self.assertRegex(last, operation["pattern"])
        self.assertNotIsInstance(outcome, GatewayError, last)
        if last.startswith("GET") and not isinstance(outcome, NotReadyError):
            self.assertNotIsInstance(outcome, Exception, last)

    def test_has_a_method_that_reaches_its_route(self) -> None:
        client = Casenote(**{**options(retries=0), **given["victims"][0]})
        for operation in given["operations"][0]:
            try:
                outcome = self.call(client, operation)
            except ApiError as error:
                outcome = error
            self.judge(operation, outcome)
        self.assertGreater(len(given["operations"][0]), 50)

    def test_has_a_coroutine_that_reaches_its_route(self) -> None:
        async def run() -> None:
            client = AsyncCasenote(**{**options(retries=0), **given["victims"][1]})
            for operation in given["operations"][1]:
                try:
                    outcome = await self.call(client, operation)
                except ApiError as error:
                    outcome = error
                self.judge(operation, outcome)

        asyncio.run(run())

    def test_both_clients_have_the_same_surface(self) -> None:
        names = [name for name in vars(self.casenote) if not name.startswith("_")]
        other = AsyncCasenote(**options())
        self.assertGreater(len(names), 10)
        for name in names:
            ours, theirs = getattr(self.casenote, name), getattr(other, name)
            for verb, method in inspect.getmembers(ours, inspect.ismethod):
                if verb.startswith("_"):
                    continue
                signature = inspect.signature(getattr(theirs, verb))
                self.assertEqual(inspect.signature(method).parameters, signature.parameters)


class Tokens(CasenoteTest):
    def test_are_fetched_once_for_threads_that_begin_together(self) -> None:
        client = make_client()
        with ThreadPoolExecutor(5) as threads:
            list(threads.map(lambda _: client.partners.read(), range(5)))
        self.assertEqual(count("POST /partners/authenticate"), 1)

    def test_are_fetched_once_for_tasks_that_begin_together(self) -> None:
        async def run() -> None:
            client = AsyncCasenote(**options())
            await asyncio.gather(*(client.partners.read() for _ in range(5)))

        asyncio.run(run())
        self.assertEqual(count("POST /partners/authenticate"), 1)

    def test_are_renewed_once_when_they_expired(self) -> None:
        control(method="DELETE")
        with ThreadPoolExecutor(3) as threads:
            all_three = threading.Barrier(3)

            def read(_: int) -> Any:
                all_three.wait()
                return self.casenote.partners.read()

            found = list(threads.map(read, range(3)))
        self.assertEqual([one["id"] for one in found], [partner["partnerId"]] * 3)
        self.assertEqual(count("POST /partners/authenticate"), 1)
        self.assertIn(401, statuses())

    def test_that_stay_refused_end_the_call(self) -> None:
        expired = {"error": {"type": "X", "message": "expired", "statusCode": 401}, "path": "/"}
        answer = {"status": 401, "body": json.dumps(expired)}
        control([{"on": "GET /partners", "answer": answer, "always": True}])
        self.assertEqual(self.refusal(PartnerApiError, self.casenote.partners.read).status, 401)
        self.assertEqual(count("GET /partners"), 2)

    def test_are_not_asked_for_again_with_unknown_credentials(self) -> None:
        error = self.refusal(PartnerApiError, make_client(client_secret="whsec_x").partners.read)
        self.assertEqual((error.status, error.messages), (401, ["Invalid client credentials"]))
        self.assertEqual(len(control()), 1)


class Errors(CasenoteTest):
    def test_of_the_gateway(self) -> None:
        error = self.refusal(GatewayError, make_client(api_key="x").partners.read)
        self.assertEqual((error.status, error.messages, error.body), (403, ["Forbidden"], {"message": "Forbidden"}))

    def test_of_the_application(self) -> None:
        create = self.casenote.clients.create
        body: Any = {"lastName": "", "dateOfBirth": "1990-02-30"}
        error = self.refusal(PartnerApiError, lambda: create(partner["clinicianId"], body))
        self.assertEqual((error.status, len(error.messages)), (400, 2))
        self.assertIn("lastName should not be empty", str(error))
        self.assertTrue(error.request_id)
        error = self.refusal(PartnerApiError, lambda: self.casenote.clients.unarchive(partner["clientId"]))
        self.assertEqual((error.status, len(error.messages)), (409, 1))

    def test_have_code_and_link(self) -> None:
        link = '</docs/changes>; rel="deprecation", </docs/errors#not_found>; rel="help"'
        headers = {"casenote-error-code": "not_found", "link": link}
        untold = {"status": 404, "body": '{"message":"x"}'}
        control([{"on": "GET /clients/*", "add": {"headers": headers}}, {"on": "GET /clients/*", "answer": untold}])
        error = self.refusal(PartnerApiError, lambda: self.casenote.clients.read("none"))
        self.assertEqual(error.code, "not_found")
        self.assertEqual(error.docs_url, given["baseUrl"].replace("/v2", "/docs/errors#not_found"))
        error = self.refusal(GatewayError, lambda: self.casenote.clients.read("none"))
        self.assertEqual((error.code, error.docs_url, error.request_id, error.retry_after_seconds), (None,) * 4)

    def test_say_what_is_not_ready(self) -> None:
        error = self.refusal(NotReadyError, lambda: self.casenote.sessions.read_mdm(partner["sessionId"]))
        self.assertEqual((error.status, error.failure), (404, None))
        self.assertEqual(statuses()[-1], 200)

    def test_of_something_before_the_service(self) -> None:
        control([{"on": "GET /partners", "answer": {"status": 502, "body": "<h1>Bad Gateway</h1>"}}])
        error = self.refusal(ApiError, make_client(retries=0).partners.read)
        self.assertEqual((type(error), error.status, error.body), (ApiError, 502, "<h1>Bad Gateway</h1>"))

    def test_come_for_a_redirect(self) -> None:
        elsewhere = {"status": 307, "headers": {"location": given["baseUrl"] + "/elsewhere"}}
        control([{"on": "GET /partners", "answer": elsewhere}])
        self.assertEqual(self.refusal(ApiError, self.casenote.partners.read).status, 307)
        self.assertEqual(count("GET /elsewhere"), 0)

    def test_come_before_anything_is_sent(self) -> None:
        self.refusal(ValueError, lambda: self.casenote.clients.read(""))
        self.refusal(ValueError, lambda: make_client(api_key=""))
        for wrong in ("..", "."):
            self.refusal(ValueError, functools.partial(self.casenote.clients.read, wrong))
        for secret in ("hidden\n", "hid den", "hidden\0"):
            error = self.refusal(ValueError, functools.partial(make_client, client_secret=secret))
            self.assertNotIn("hid", str(error))
        self.assertEqual(control(), [])
        self.assertEqual(self.refusal(PartnerApiError, lambda: self.casenote.clients.read("../partners?x=#")).status, 404)
        self.assertEqual(control()[-1]["request"], "GET /clients/..%2Fpartners%3Fx%3D%23")


    def test_show_no_secret_and_no_body(self) -> None:
        settings = Settings("http://x/v2", "hidden-key", "hidden-id", "hidden-secret", 1.0, 0)
        body = {"lastName": "hidden-name"}
        call = Call("POST", "/x", "never", query={"name": "hidden"}, body=body, idempotency_key="hidden")
        flow = run_call(settings, call)
        steps = [next(flow), flow.send("hidden-token"), NeedToken("hidden-token", 1.0), Answer(200, {"x": "hidden"}, body)]
        for shown in (settings, call, *steps):
            self.assertNotIn("hidden", repr(shown))

    def test_are_told_whatever_the_messages_are(self) -> None:
        for message in (None, 7, {}, {"message": "one"}, {"message": [1, "two"]}):
            body = json.dumps({"error": {"message": message, "statusCode": 400}, "path": "/"})
            control([{"on": "GET /partners", "answer": {"status": 400, "body": body}}])
            error = self.refusal(PartnerApiError, self.casenote.partners.read)
            self.assertIn(error.messages, (["one"], ["two"], ["HTTP status 400"]))


class Lists(CasenoteTest):
    def test_are_gone_through_page_by_page(self) -> None:
        listed = given["listed"]
        client = Casenote(**{**options(), **listed["credentials"]})
        made = [
            client.clients.create(listed["clinicianId"], {"lastName": f"Paged {n}", "dateOfBirth": "1990-01-31"})["id"]
            for n in range(21)
        ]
        control([])
        found = client.clients.list(listed["clinicId"], name="paged")
        self.assertEqual([one["id"] for one in found], made)
        self.assertEqual(len(control()), 3)
        self.assertEqual([len(page.data) for page in found.pages()], [10, 10, 1])
        self.assertEqual(len(found.to_list(max=4)), 4)
        self.assertEqual(found.page(9).data, [])
        self.assertIsNone(client.clients.list(listed["clinicId"], external_id="nobody").first())

        async def run() -> None:
            other = AsyncCasenote(**{**options(), **listed["credentials"]})
            pages = other.clients.list(listed["clinicId"], name="paged")
            self.assertEqual([one["id"] async for one in pages], made)
            self.assertEqual([len(page.data) async for page in pages.pages()], [10, 10, 1])
            self.assertEqual(len(await pages.to_list(max=4)), 4)

        asyncio.run(run())

    def test_ask_for_a_page_size_in_a_header_and_write_booleans_as_the_service_reads_them(self) -> None:
        self.casenote.organizations.list(page_size=100).first()
        self.assertEqual(control()[-1]["headers"]["casenote-page-size"], "100")
        self.casenote.assessments.list(partner["clinicId"], default_only=True).first()
        self.assertIn("defaultOnly=true", control()[-1]["request"])


class Repeating(CasenoteTest):
    def test_a_read_goes_on_through_trouble(self) -> None:
        control(
            [
                {"on": "GET /partners", "answer": UNAVAILABLE},
                {"on": "GET /partners", "lose": True},
                {"on": "GET /partners", "answer": LIMITED},
            ]
        )
        self.assertEqual(self.casenote.partners.read()["id"], partner["partnerId"])
        self.assertEqual(statuses(), [503, 0, 429, 200])

    def test_a_conflict_is_not_repeated(self) -> None:
        control([{"on": "GET /partners", "answer": {**LIMITED, "status": 409}}])
        self.assertEqual(self.refusal(ApiError, self.casenote.partners.read).status, 409)
        self.assertEqual(statuses(), [409])

    def test_so_does_a_coroutine(self) -> None:
        async def run() -> None:
            client = AsyncCasenote(**options())
            await client.partners.read()
            control([{"on": "GET /partners", "answer": UNAVAILABLE}, {"on": "GET /partners", "lose": True}])
            await client.partners.read()
            self.assertEqual(statuses(), [503, 0, 200])

        asyncio.run(run())

    def test_ends(self) -> None:
        control([{"on": "GET /partners", "answer": UNAVAILABLE, "always": True}])
        self.assertEqual(self.refusal(ApiError, make_client(retries=1).partners.read).status, 503)
        self.assertEqual(count("GET /partners"), 2)
        later = {**LIMITED, "headers": {"retry-after": "3600"}}
        control([{"on": "GET /partners", "answer": later}])
        self.assertEqual(self.refusal(GatewayError, self.casenote.partners.read).retry_after_seconds, 3600)
        self.assertEqual(len(control()), 1)

    def test_a_create_is_not_done_twice_where_the_service_takes_no_keys(self) -> None:
        path = f"/clinicians/{partner['clinicianId']}/clients"
        control([{"on": f"POST {path}", "lose": True}])
        person: Any = {"lastName": "Once", "dateOfBirth": "1990-01-31", "externalId": "python-once"}
        self.refusal(ConnectionError, lambda: self.casenote.clients.create(partner["clinicianId"], person))
        self.assertEqual(count("POST"), 1)
        found = self.casenote.clients.list(partner["clinicId"], external_id="python-once")
        self.assertEqual(len(found.to_list(max=9)), 1)

    def test_a_create_is_repeated_with_its_key_where_the_service_takes_keys(self) -> None:
        path = f"/clinicians/{partner['clinicianId']}/clients"
        keyed = {"on": "GET /partners", "add": {"fields": {"idempotency": True}}, "always": True}
        control([keyed, {"on": f"POST {path}", "answer": UNAVAILABLE}])
        person: Any = {"lastName": "Repeated", "dateOfBirth": "1990-01-31"}
        self.casenote.clients.create(partner["clinicianId"], person)
        self.casenote.clients.create(partner["clinicianId"], person, idempotency_key="mine")
        keys = [one["headers"]["idempotency-key"] for one in control() if one["request"] == f"POST {path}"]
        self.assertEqual(keys, [keys[0], keys[0], "mine"])
        minting = f"POST /clinicians/{partner['clinicianId']}/authenticate"
        control([keyed, {"on": minting, "answer": UNAVAILABLE}])
        self.refusal(ApiError, lambda: self.casenote.clinicians.authenticate(partner["clinicianId"]))
        self.assertEqual(count(minting), 1)

    def test_a_change_is_repeated_but_not_one_with_a_condition(self) -> None:
        control([{"on": "PATCH /*", "lose": True}])
        changed = self.casenote.clients.change(partner["clientId"], {"firstName": "Sam"})
        self.assertEqual(changed["firstName"], "Sam")
        note = self.casenote.progress_notes.read(partner["progressNoteId"])
        etag = (headers_of(note) or {})["etag"]
        sections: Any = [{"key": one["key"], "content": "Changed by Python."} for one in note["note"]]
        control([{"on": "PATCH /*", "lose": True}])

        def change() -> Any:
            return self.casenote.progress_notes.change(partner["progressNoteId"], {"note": sections}, if_match=etag)

        self.refusal(ConnectionError, change)
        self.assertEqual(self.refusal(PartnerApiError, change).status, 409)

    def test_what_a_lost_delete_removed_is_removed(self) -> None:
        endpoint = self.casenote.webhook_endpoints.create({"url": "http://127.0.0.1:9/hook"})
        control([{"on": "DELETE /*", "lose": True}])
        self.casenote.webhook_endpoints.delete(endpoint["id"])
        self.assertEqual(statuses(), [0, 404])


class Time(CasenoteTest):
    def test_who_waits_for_a_token_gets_the_same_error_or_is_late(self) -> None:
        control([{"on": "POST /partners/authenticate", "hang": True, "always": True}])
        client = make_client(retries=0, timeout=2.0)
        began = time.monotonic()
        with ThreadPoolExecutor(4) as threads:
            waiting = [threads.submit(client.partners.read) for _ in range(3)]
            while not control():
                pass
            late = threads.submit(client.partners.read, timeout=0.1)
            self.assertIsInstance(late.exception(), TimeoutError)
            self.assertLess(time.monotonic() - began, 1.9)
            for one in waiting:
                self.assertIsInstance(one.exception(), TimeoutError)
        self.assertEqual(count("POST /partners/authenticate"), 1)

        async def run() -> None:
            other = AsyncCasenote(**options(retries=0, timeout=0.5))
            control([{"on": "POST /partners/authenticate", "hang": True, "always": True}])
            found = await asyncio.gather(*(other.partners.read() for _ in range(3)), return_exceptions=True)
            self.assertEqual([type(one) for one in found], [TimeoutError] * 3)
            self.assertEqual(count("POST /partners/authenticate"), 1)

        asyncio.run(run())

    def test_wait_for_note_tells_a_note_that_was_not_written_again(self) -> None:
        session, note = partner["sessionId"], partner["progressNoteId"]
        error = self.refusal(NoteUnchangedError, lambda: self.casenote.wait_for_note(session, after=note))
        self.assertEqual(error.session_id, session)
        self.assertEqual(self.casenote.wait_for_note(session, after="before")["progressNoteId"], note)
        control([{"on": f"GET /sessions/{session}/progress-note", "hang": True, "always": True}])
        client = make_client(retries=0)
        late = self.refusal(TimeoutError, lambda: client.wait_for_note(session, timeout=0.3))
        self.assertIn("within 0.3 s", str(late))

    def test_wait_for_note_ends_in_time_whatever_the_repeats_of_a_look_take(self) -> None:
        session = partner["sessionId"]
        later = {**LIMITED, "headers": {"retry-after": "30"}}
        looking = f"GET /sessions/{session}/progress-note"
        for rule in ({"answer": later}, {"hang": True}):
            control([{"on": looking, **rule, "always": True}])
            began = time.monotonic()
            late = self.refusal(TimeoutError, lambda: self.casenote.wait_for_note(session, timeout=1.5))
            self.assertIn("within 1.5 s", str(late))
            self.assertLess(time.monotonic() - began, 5)

            async def run() -> None:
                with self.assertRaisesRegex(TimeoutError, "within 1.5 s"):
                    await AsyncCasenote(**options()).wait_for_note(session, timeout=1.5)

            began = time.monotonic()
            asyncio.run(run())
            self.assertLess(time.monotonic() - began, 5)

    def test_an_attempt_that_is_not_answered(self) -> None:
        control([{"on": "GET /partners", "hang": True}])
        client = make_client(retries=0)
        client.organizations.list().first()
        self.refusal(TimeoutError, lambda: client.partners.read(timeout=0.2))

    def test_nobody_is_there(self) -> None:
        client = make_client(base_url=given["nowhere"], retries=0)
        self.refusal(ConnectionError, client.partners.read)

    def test_wait_for_note(self) -> None:
        path = f"GET /sessions/{partner['sessionId']}/progress-note"
        loading = {"on": path, "add": {"fields": {"isLoading": True}}}
        control([loading])
        note = self.casenote.wait_for_note(partner["sessionId"])
        self.assertEqual(note["progressNoteId"], partner["progressNoteId"])
        self.assertEqual(count(path), 2)
        control([{**loading, "always": True}])
        self.refusal(TimeoutError, lambda: self.casenote.wait_for_note(partner["sessionId"], timeout=0.8))
        self.assertEqual(count(path), 1)

        async def run() -> None:
            client = AsyncCasenote(**options())
            with self.assertRaises(TimeoutError):
                await client.wait_for_note(partner["sessionId"], timeout=0.8)
            control([loading])
            self.assertEqual((await client.wait_for_note(partner["sessionId"]))["id"], note["id"])

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
