"""Generates a client from /openapi.json with openapi-python-client and calls every operation of the document with it; before that,
validates /openapi.json and /asyncapi.json with the schemas of their formats.

Usage: generated.py HOST:PORT DIRECTORY. The client is generated in DIRECTORY. Prints one JSON object per check: {"check": ..., "ok": ...,
"saw": ...}. Tokens have to be refreshable from the start.
"""
import importlib
import io
import json
import pathlib
import subprocess
import sys
import time
import urllib.request

import jsonschema
import openapi_spec_validator

BASE, DIRECTORY = f"http://{sys.argv[1]}", pathlib.Path(sys.argv[2])
SCHEMA = pathlib.Path(__file__).with_name("asyncapi-3.0.0.json")
COVER = "https://covers.openlibrary.org/b/id/13473958-L.jpg"


def check(name, ok, saw=""):
    print(json.dumps({"check": name, "ok": bool(ok), "saw": "" if ok else str(saw)[:500]}), flush=True)


def read(path):
    with urllib.request.urlopen(BASE + path) as answer:
        return json.load(answer)


def faults(validate):
    try:
        validate()
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def generated():
    package, config = DIRECTORY / "bookstrack_client", DIRECTORY / "config.json"
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    # The generator runs without its formatter, which is a separate package.
    config.write_text('{"post_hooks": []}')
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--url", f"{BASE}/openapi.json", "--meta", "none",
         "--config", config, "--output-path", package, "--overwrite", "--fail-on-warning"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    check("the generator accepts the document without a warning", made.returncode == 0, made.stdout)
    sys.path.insert(0, str(DIRECTORY))
    return package


HTTP, SOCKET = read("/openapi.json"), read("/asyncapi.json")
saw = faults(lambda: openapi_spec_validator.validate(HTTP))
check("/openapi.json is a valid OpenAPI document", not saw, saw)
saw = faults(lambda: jsonschema.validate(SOCKET, json.loads(SCHEMA.read_text())))
check("/asyncapi.json is a valid AsyncAPI document", not saw, saw)
check("/asyncapi.json has a server", SOCKET.get("servers"), SOCKET.get("servers"))

PACKAGE = generated()
MODULES = {
    file.stem.replace("_", ""): f"bookstrack_client.api.{file.parent.name}.{file.stem}" for file in PACKAGE.glob("api/*/*.py")}
import bookstrack_client.models as models  # noqa: E402
from bookstrack_client import AuthenticatedClient, Client  # noqa: E402
from bookstrack_client.types import File  # noqa: E402

ANYBODY = Client(base_url=BASE, raise_on_unexpected_status=True)
called = set()


def call(operation, status, parsed, client=ANYBODY, name=None, **arguments):
    """Calls an operation and checks the response's status and parsed type; returns the response, or None if the call or its parsing failed."""
    called.add(operation)
    name = name or f"{operation} is called"
    try:
        module = importlib.import_module(MODULES[operation.lower()])
        answer = module.sync_detailed(client=client, **arguments)
        ok = answer.status_code == status and isinstance(answer.parsed, parsed)
        check(name, ok, f"{answer.status_code} {type(answer.parsed).__name__} {answer.content[:300]!r}")
        return answer
    except Exception as error:
        check(name, False, f"{type(error).__name__}: {error}")
        return None


def answer_of(operation, status):
    """The generated type of a response whose schema has no name in the document."""
    names = [f"{operation}Response{status}".lower(), f"{operation}Response".lower()]
    return next(getattr(models, name) for name in dir(models) if name.lower() in names)


BOOKS = models.BatchOfBooks(books=[models.BookQuery(title="Dune", author="Frank Herbert"), models.BookQuery(isbn="9780141439587")])


def start(operation="startBatch", status=202, parsed=None, body=BOOKS):
    """Starts a job; returns its identifier, its token, and a client with the token."""
    answer = call(operation, status, parsed or answer_of(operation, status), body=body)
    job = json.loads(answer.content)["data"]
    return job["jobId"], job["token"], AuthenticatedClient(base_url=BASE, token=job["token"], raise_on_unexpected_status=True)


def end(job, client):
    module = importlib.import_module(MODULES["readjob"])
    for _ in range(2400):
        state = module.sync(job, client=client)
        if state.data.status not in ("pending", "processing"):
            return state.data.status
        time.sleep(0.05)
    return state.data.status


def walk_jobs():
    job, token, client = start()
    check("the job ends", end(job, client) == "completed")
    for operation, status in {"readJob": 200, "readResults": 200, "readJobResults": 200, "readInsights": 200}.items():
        call(operation, status, answer_of(operation, status), client, job_id=job)
    report = models.ReportByISBN(isbn="9780441172719", note="The cover of another edition")
    call("reportMissingMetadata", 202, answer_of("reportMissingMetadata", 202), body=report)
    # The generated client sends the JSON content type with no body at all.
    call("retryJob", 202, models.RetryJobResponse202, client, job_id=job)
    for operation in ("refreshToken", "refreshTokenAlias1"):
        fresh = call(operation, 200, models.TokenRefreshed, body=models.TokenRefreshRequest(job_id=job, old_token=token))
        token = fresh.parsed.token
    for operation, arguments in {
        "cancelJob": lambda job, token: {"job_id": job},
        "cancelImport": lambda job, token: {"job_id": job},
        "cancelJobByBody": lambda job, token: {"body": models.CancelRequest(job_id=job, token=token)},
        "cancelJobByBodyAlias1": lambda job, token: {"body": models.CancelRequest(job_id=job, token=token)},
    }.items():
        job, token, client = start("startBatchAlias1", body=models.BatchOfISBNs(isbns=["9780441172719"]))
        call(operation, 200, answer_of(operation, 200), client, **arguments(job, token))
    start("startBatchLegacy", 200, models.LegacyStartedJob)
    # These requests do not ask for an upgrade.
    call("watchJob", 426, models.FailureEnvelope, job_id=job)
    call("watchJobs", 426, models.FailureEnvelope)


def walk_imports():
    def body():
        file = File(payload=io.BytesIO(b"Title,Author\r\nDune,Frank Herbert\r\n"), file_name="books.csv", mime_type="text/csv")
        return models.ImportUpload(file=file)

    for operation in ("startImportAlias1", "startImportAlias2"):
        start(operation, body=body())
    job, _, client = start("startImport", body=body())
    check("the import ends", end(job, client) == "completed")
    for operation in ("readImportResults", "readImportResultsOfApps", "readImportStatus", "readImportStatusOfApps"):
        call(operation, 200, answer_of(operation, 200), client, job_id=job)
    call("previewImport", 200, answer_of("previewImport", 200), body=body())


def walk_scans():
    # A JPEG of 640 by 480 pixels without image data.
    photo = (
        b"\xff\xd8\xff\xc0\x00\x11\x08\x01\xe0\x02\x80\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"
        b"\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00" + bytes(32) + b"\xff\xd9")

    def file():
        return File(payload=io.BytesIO(photo), file_name="shelf.jpg", mime_type="image/jpeg")

    start("startScanAlias1", body=models.ScanUpload(photo=file()))
    for operation in ("startBatchScan", "startBatchScanAlias1", "startBatchScanAlias2"):
        start(operation, body=models.BatchScanUpload(photos=file()))
    job, token, client = start("startScan", body=models.ScanUpload(photo=file()))
    check("the scan ends", end(job, client) == "completed")
    for operation in ("readScanResults", "readJobResults", "readImportResultsOfApps"):
        answer = call(operation, 200, answer_of(operation, 200), client, job_id=job, name=f"{operation} of a scan is called")
        ok = answer and isinstance(answer.parsed.data, models.ScanResults)
        check(f"{operation} returns the scan", ok, answer and answer.parsed)
    answer = call("readScanPhoto", 200, object, client, job_id=job, index=0)
    check("the photo is unchanged", answer and answer.content == photo, answer and answer.content)
    answer = call("streamJob", 200, object, client, job_id=job)
    check("the stream ends with the job", answer and b"event: job_complete" in answer.content, answer and answer.content)
    answer = call("streamJobs", 200, object, job=[f"{job}:{token}"])
    check("the stream of several jobs ends with the jobs", answer and b"event: unwatched" in answer.content, answer and answer.content)
    listed = models.JobSelection(jobs=[models.JobSelectionJobsItem(job_id=job, token=token)])
    answer = call("streamListedJobs", 200, object, body=listed)
    check("the stream of listed jobs ends with the jobs", answer and b"event: unwatched" in answer.content, answer and answer.content)
    answer = call("streamJobForApps", 200, object, client, job_id=job)
    check("the apps' stream ends with the job", answer and b"event: photoscan.completed" in answer.content, answer and answer.content)


def walk_searches():
    for operation, arguments in {
        "searchByISBN": {"isbn": "9780441172719"}, "searchByTitle": {"q": "Dune"},
        "searchAdvanced": {"title": "Dune", "author": "Frank Herbert"},
        "searchEditions": {"work_title": "Dune", "author": "Frank Herbert"},
    }.items():
        call(operation, 200, answer_of(operation, 200), **arguments)
    for operation, parsed in {"enrichBook": answer_of("enrichBook", 200), "enrichBookForApps": object}.items():
        book = call(operation, 200, parsed, body=models.BookByISBN(isbn="9780441172719"))
        ok = book and book.parsed.data.authors == ["Frank Herbert"]
        check(f"{operation} finds the book", ok, book and book.content)
    for operation, arguments in {
        "legacySearchByTitle": {"q": "Dune"}, "legacySearchByISBN": {"isbn": "9780441172719"},
        "legacySearchByAuthor": {"q": "Frank Herbert"},
        "legacySearchAdvanced": {"title": "Dune", "author": "Frank Herbert"},
    }.items():
        call(operation, 200, models.LegacyVolumeList, **arguments)


def walk_covers():
    for accept, kind in (("*/*", "image/jpeg"), ("application/octet-stream", "application/octet-stream")):
        client = Client(base_url=BASE, headers={"Accept": accept}, raise_on_unexpected_status=True)
        cover = call("readCover", 200, File, client, url_query=COVER, name=f"readCover is called for {accept}")
        if cover is not None:
            picture = cover.parsed.payload.read()
            check(f"a cover is returned unchanged for {accept}", picture[:3] == b"\xff\xd8\xff", picture[:8])
            check(f"a cover is {kind} for {accept}", cover.headers["Content-Type"] == kind, cover.headers)


def walk_service():
    for operation, parsed in {
        "readHealth": models.HealthReport, "readLiveness": models.Liveness, "readReadiness": models.ReadinessReport,
        "readDocs": str,
    }.items():
        call(operation, 200, parsed)
    call("readPage", 200, str, Client(base_url=BASE, headers={"Accept": "text/html"}, raise_on_unexpected_status=True))
    call("readPageFile", 200, object, version="any", file="reader.css")
    for operation, document in {"readOpenAPI": HTTP, "readAsyncAPI": SOCKET}.items():
        answer = call(operation, 200, object)
        check(f"{operation} returns the document unchanged", answer and answer.parsed.to_dict() == document)


for walk in (walk_jobs, walk_imports, walk_scans, walk_searches, walk_covers, walk_service):
    try:
        walk()
    except Exception as error:
        check(walk.__name__, False, f"{type(error).__name__}: {error}")

described = {operation["operationId"] for path in HTTP["paths"].values() for operation in path.values()}
for operation in sorted(described - called):
    check(f"{operation} is called", False, "this script has no call for it")
for operation in sorted(called - described):
    check(f"{operation} is in the document", False)
check("every operation is called", described == called, len(called))
