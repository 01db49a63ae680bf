"""A whole integration: a client, a session, the webhook about its note, the note itself. Nothing but the SDK and Python.

    pip install "$BASE/docs/sdk/casenote-VERSION-py3-none-any.whl"     (BASE: http://localhost:8080)
    python integration.py

CASENOTE_BASE_URL (with /v2), CASENOTE_API_KEY, CASENOTE_CLIENT_ID and CASENOTE_CLIENT_SECRET come from the operator of
your installation; those of the sandbox stand in sandbox-credentials.json in its data folder.
"""

import json
import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Set

from casenote import ApiError, Casenote, WebhookEvent, WebhookVerificationError, dedupe_keys, verify_webhook

client_secret = os.environ["CASENOTE_CLIENT_SECRET"]
casenote = Casenote(
    base_url=os.environ["CASENOTE_BASE_URL"],
    api_key=os.environ["CASENOTE_API_KEY"],
    client_id=os.environ["CASENOTE_CLIENT_ID"],
    client_secret=client_secret,
)

# 1. Receive events: verify, answer at once, drop what was seen, then work. Where the service cannot reach this machine,
#    use a public https URL instead.
seen: Set[str] = set()  # Yours is a table with a unique key.
events: "queue.Queue[WebhookEvent]" = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # seconds; who sends nothing holds no thread

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if 0 < length <= 1024 * 1024 else b""
        try:
            event = verify_webhook(body, dict(self.headers), client_secret)
        except WebhookVerificationError:
            self.send_response(400)
            self.end_headers()
            return
        self.send_response(204)
        self.end_headers()
        keys = set(dedupe_keys(event, dict(self.headers)))
        if not keys <= seen:
            seen.update(keys)
            events.put(event)

    def log_message(self, *_args: object) -> None:
        """Says nothing."""


receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{receiver.server_port}/casenote/events"
endpoint = casenote.webhook_endpoints.create({"url": url})

try:
    # 2. Find a clinician of yours. Lists are asked for page by page while you go through them.
    organization = next(iter(casenote.organizations.list()))
    clinic = next(iter(casenote.clinics.list(organization["id"])))
    clinician = next(iter(casenote.clinicians.list(clinic["id"])))

    # 3. Find the client by your own id, or create them.
    external_id = f"ehr-{os.getpid()}"
    client = casenote.clients.list(clinic["id"], external_id=external_id).first() or casenote.clients.create(
        clinician["id"], {"lastName": "Sample", "dateOfBirth": "1990-01-31", "externalId": external_id}
    )

    # 4. A session: `fileUrl` for a recording, or what happened in the clinician's own words.
    text = "Client reports low mood since May, worse in the mornings. Sleeps five hours. Denies SI. Plan: sleep diary."
    session = casenote.sessions.create(client["id"], {"text": text, "sessionExternalId": "appointment-1"})

    # 5. The note: told by the webhook, or waited for. `wait_for_note` also says why there will be none.
    note = casenote.wait_for_note(session["id"], timeout=300)
    while True:
        event = events.get(timeout=60)
        if event["eventType"] == "progress_note_generated":
            progress_note_id = event["payload"]["progressNoteId"]
            break
    for section in note["note"]:
        print(f"{section['title']}: {section['content']}")

    # 6. Sign it. From now on it is locked, and the service says so.
    casenote.progress_notes.finalize(progress_note_id)
    try:
        casenote.progress_notes.change(progress_note_id, {"note": []})
        refused = "changed"
    except ApiError as error:
        refused = f"{error.status} {','.join(error.messages)}"
    print(json.dumps({"noteIsTheSame": progress_note_id == note["progressNoteId"], "refused": refused}))
finally:
    casenote.webhook_endpoints.delete(endpoint["id"])
    receiver.shutdown()
    receiver.server_close()
