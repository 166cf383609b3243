// What the suite is doing, and what is wrong.
import { minute, now } from "./clock.js";
import { count, make, number } from "./dom.js";
import { graph } from "./graph.js";
import { bytes, chip, facts, fill, gauge, jobLink, panel, pipelineNames, Poller, span, table, title, until, when } from "./parts.js";
import { budget, state } from "./providers.js";
import { get } from "./session.js";

const words = { ready: "Everything works", degraded: "Working with limitations", unavailable: "Not working" };

export function overview(place) {
  const parts = Object.fromEntries(["health", "graphs", "work", "calls", "queues", "storage"].map((name) => [name, make("div", {})]));
  place.replaceChildren(title("Overview"), parts.health, parts.graphs,
    make("div", { class: "panels" }, parts.work, parts.calls, parts.queues, parts.storage));
  return new Poller(async () => {
    const suite = await get("/overview");
    const figures = read(suite);
    fill(parts.health, [suite.readiness, suite.services.map(({ name, failure, status }) => [name, failure, status?.readiness, status?.pid]), minute()],
      () => health(suite));
    fill(parts.graphs, suite.history.at(-1)?.at ?? 0, () => graphs(suite.history));
    fill(parts.work, [suite.openJobs, figures.host?.jobs, minute()], () => work(suite, figures));
    fill(parts.calls, [figures.providers, minute()], () => calls(figures));
    fill(parts.queues, [figures.host?.mailbox, figures.proxy, figures.workers.map(({ name, worker }) => [name, worker.held, worker.outbox, worker.questions])], () => queues(figures));
    fill(parts.storage, [figures.host?.storage, suite.disk, figures.proxy?.cache, figures.workers.map(({ worker }) => worker.cache)], () => storage(suite, figures));
  }, 5000);
}

function read(suite) {
  const workers = suite.services.flatMap(({ name, status }) => status?.worker ? [{ name, worker: status.worker }] : []);
  return {
    workers, proxy: suite.services.find(({ status }) => status?.proxy)?.status.proxy,
    host: suite.services.find(({ status }) => status?.host)?.status.host,
    providers: workers.flatMap(({ worker }) => worker.providers),
  };
}

function health(suite) {
  const { status } = suite.readiness;
  const troubles = suite.services.filter(({ failure, status }) => failure || status.readiness.status !== "ready");
  return [
    make("div", { class: `banner is-${status}` }, make("p", {}, make("strong", {}, words[status] ?? status)),
      troubles.length ? make("ul", {}, troubles.map((service) => make("li", {}, make("b", {}, service.name), ": ", lacks(service)))) : false,
      status === "ready" ? false : make("p", {}, make("a", { href: "#doctor" }, "Open Doctor to see what to do"))),
    make("ul", { class: "services", "aria-label": "Processes" }, suite.services.map(({ name, status, failure }) => make("li", {},
      make("b", {}, name), " ", failure ? chip("down", "bad") : chip(status.readiness.status),
      make("span", { class: "faint" }, failure ?? `version ${status.version}, process ${status.pid}, up ${span(Math.max(0, now() - status.startedAt))}`)))),
  ];
}

const lacks = ({ failure, status }) => failure
  ?? ((status.readiness.dependencies ?? []).filter((one) => one.status !== "ready").map((one) => `${one.name}: ${one.reason}`).join("; ") || status.readiness.status);

function graphs(points) {
  if (points.length === 0) return make("p", { class: "empty" }, "Graphs of the last hour appear within 30 seconds after api-proxy starts.");
  return make("div", { class: "graphs" },
    graph("Requests", points, [
      { name: "all", kind: "main", unit: "/s", value: (point) => point.requests }, { name: "failed", kind: "bad", unit: "/s", value: (point) => point.failedRequests }]),
    graph("Latency", points, [
      { name: "p50", kind: "main", unit: " ms", value: (point) => point.p50 }, { name: "p95", kind: "second", unit: " ms", value: (point) => point.p95 }]),
    graph("Books", points, [
      { name: "found", kind: "main", unit: "/s", value: (point) => point.found }, { name: "failed", kind: "bad", unit: "/s", value: (point) => point.failed }]),
    graph("Provider calls", points, [
      { name: "all", kind: "main", unit: "/s", value: (point) => point.calls }, { name: "failed", kind: "bad", unit: "/s", value: (point) => point.failedCalls }]),
    graph("Open books", points, [{ name: "waiting", kind: "main", value: (point) => point.openItems }]),
    graph("Sockets", points, [{ name: "open", kind: "main", value: (point) => point.sockets }]));
}

function work(suite, { host }) {
  const open = (pipeline, status) => suite.openJobs.find((one) => one.pipeline === pipeline && one.status === status)?.count ?? 0;
  const jobs = host?.jobs;
  return panel("Jobs",
    table("Open jobs by kind and state", ["Kind", ["Pending", "num"], ["Processing", "num"]],
      Object.entries(pipelineNames).map(([pipeline, name]) => [
        make("a", { href: `#jobs?pipeline=${pipeline}` }, name), number(open(pipeline, "pending")), number(open(pipeline, "processing"))])),
    jobs ? facts([
      ["Books waiting", `${number(jobs.waitingInteractive)} interactive, ${number(jobs.waitingBulk)} bulk`],
      ["Books in progress", number(jobs.leased)], ["Workers", number(jobs.workers)],
      ["Next retry", jobs.nextLaterAt ? until(jobs.nextLaterAt) : "none planned"]]) : make("p", { class: "notice" }, "progress-host is not responding."),
    jobs?.oldestOpen.length ? [make("h3", {}, "Oldest open"), make("ul", { class: "plainlist" }, jobs.oldestOpen.slice(0, 5).map(line))] : false,
    jobs?.recentlyEnded.length ? [make("h3", {}, "Recently ended"), make("ul", { class: "plainlist" }, jobs.recentlyEnded.slice(0, 5).map(line))] : false);
}

const line = (job) => make("li", {}, jobLink(job.jobId), " ", chip(job.status),
  make("span", { class: "faint" }, `${number(job.processed)} of ${count(job.total, "book")}${job.failed ? `, ${number(job.failed)} failed` : ""}, `, when(job.endedAt ?? job.createdAt)));

const calls = ({ providers }) => panel("Providers",
  table("Providers", ["Provider", "State", "Budget", ["Waiting", "num"]],
    providers.map((provider) => [make("a", { href: "#providers" }, provider.name), state(provider), budget(provider), number(provider.waiting)]),
    "No worker is connected."));

const queues = ({ host, proxy, workers }) => panel("Queues and sockets",
  proxy ? gauge("Sockets", proxy.sockets.length, proxy.sockets.limit) : false,
  host ? gauge("Engine command queue", host.mailbox.length, host.mailbox.limit) : false,
  workers.map(({ name, worker }) => [
    gauge(`Books in progress, ${name}`, worker.held.length, worker.held.limit),
    gauge(`Unconfirmed outcomes, ${name}`, worker.outbox.length, worker.outbox.limit),
    facts([["Queries waiting", number(worker.questions)]])]));

function storage(suite, { host, proxy, workers }) {
  const caches = [...(proxy ? [["Cached searches", proxy.cache]] : []), ...workers.map(({ name, worker }) => [`Provider responses, ${name}`, worker.cache])];
  return panel("Storage and caches",
    host?.storage.refusal ? make("p", { class: "notice" }, `The database refuses writes: ${host.storage.refusal}`) : false,
    facts([["Jobs database", host && `${bytes(host.storage.databaseBytes)}, log ${bytes(host.storage.logBytes)}`]]),
    suite.disk ? gauge("Disk in use", suite.disk.totalBytes - suite.disk.freeBytes, suite.disk.totalBytes, `${bytes(suite.disk.freeBytes)} free`) : false,
    caches.map(([name, cache]) => {
      const asked = cache.hits + cache.staleHits + cache.misses;
      return gauge(name, cache.bytes, cache.limit, `${bytes(cache.bytes)}${asked ? `, ${Math.round((100 * (cache.hits + cache.staleHits)) / asked)}% hits` : ""}`);
    }));
}
