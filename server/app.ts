import { randomUUID } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import type { Endpoint, Method } from '#contract/core/endpoint.ts'
import { type EndpointName, endpoints } from '#contract/core/endpoints.ts'
import { Refusal } from '#contract/core/errors.ts'
import { appointmentHandlers } from '#server/features/clinic/appointments/handlers.ts'
import { authHandlers } from '#server/features/app/login/handlers.ts'
import { countSheetHandlers } from '#server/features/counts/count-sheets/handlers.ts'
import { fileHandlers } from '#server/features/patients/files/handlers.ts'
import { frameLibraryHandlers } from '#server/features/stock/frame-library/handlers.ts'
import { homeHandlers } from '#server/features/app/home/handlers.ts'
import { insuranceHandlers } from '#server/features/clinic/insurance/handlers.ts'
import { inventoryHandlers } from '#server/features/stock/inventory/handlers.ts'
import { messageHandlers } from '#server/features/patients/messages/handlers.ts'
import { invoiceHandlers } from '#server/features/money/invoices/handlers.ts'
import { operationsHandlers } from '#server/features/app/operations/handlers.ts'
import { patientHandlers } from '#server/features/patients/patients/handlers.ts'
import { pcpHandlers } from '#server/features/patients/pcps/handlers.ts'
import { labelHandlers } from '#server/features/stock/labels/handlers.ts'
import { transferHandlers } from '#server/features/stock/transfers/handlers.ts'
import { vendorReturnHandlers } from '#server/features/receiving/vendor-returns/handlers.ts'
import { patientReturnHandlers } from '#server/features/money/patient-returns/handlers.ts'
import { portalHandlers } from '#server/features/patients/portal/handlers.ts'
import { priceBookHandlers } from '#server/features/stock/price-book/handlers.ts'
import { prescriptionHandlers } from '#server/features/clinic/prescriptions/handlers.ts'
import { settingsHandlers } from '#server/features/settings/settings/handlers.ts'
import { storeInvoiceHandlers } from '#server/features/receiving/store-invoices/handlers.ts'
import { providerHandlers } from '#server/features/settings/settings/provider-handlers.ts'
import { securityLogHandlers } from '#server/features/settings/security-log/handlers.ts'
import { tabletHandlers } from '#server/features/settings/tablets/handlers.ts'
import { sumTablets } from '#server/features/settings/tablets/tablet-list.ts'
import { timeCardHandlers } from '#server/features/people/time-clock/handlers.ts'
import { answerError, refusalAnswer } from '#server/platform/http/answer-error.ts'
import { originReader } from '#server/platform/http/client-address.ts'
import type { AllHandlers, Handler } from '#server/platform/http/handler.ts'
import { answerCall, type HttpContext, type HttpEnvironment, pathWithPlaces } from '#server/platform/http/mount-endpoint.ts'
import { type RequestContext, withinRequest } from '#server/platform/http/request-context.ts'
import { tabletOf } from '#server/platform/http/scope.ts'
import { rateLimiter, type RateLimits, usualRateLimits } from '#server/platform/http/rate-limit.ts'
import { pagePolicy, securityHeaders } from '#server/platform/http/security-headers.ts'
import { securityText, securityTextPath } from '#server/platform/http/security-text.ts'
import { staticFiles } from '#server/platform/http/static-files.ts'
import { noteRefusal } from '#server/domain/people/refusals.ts'
import { answerMetrics, metricsPath } from '#server/platform/metrics/answer-metrics.ts'
import type { Services } from '#server/platform/services.ts'
import { syncHandlers } from '#server/sync/handlers.ts'

/** The compiler fails here while a call of the contract has no handler. */
const handlers: AllHandlers = {
  ...authHandlers,
  ...homeHandlers,
  ...timeCardHandlers,
  ...inventoryHandlers,
  ...frameLibraryHandlers,
  ...priceBookHandlers,
  ...countSheetHandlers,
  ...patientHandlers,
  ...appointmentHandlers,
  ...messageHandlers,
  ...invoiceHandlers,
  ...fileHandlers,
  ...insuranceHandlers,
  ...portalHandlers,
  ...prescriptionHandlers,
  ...pcpHandlers,
  ...transferHandlers,
  ...vendorReturnHandlers,
  ...patientReturnHandlers,
  ...labelHandlers,
  ...storeInvoiceHandlers,
  ...settingsHandlers,
  ...providerHandlers,
  ...tabletHandlers,
  ...securityLogHandlers,
  ...syncHandlers,
  ...operationsHandlers,
}

export type AppOptions = {
  /** Aborted when the server is about to stop: the server then refuses new calls, and streams of events end. */
  stopping?: AbortSignal
  rateLimits?: RateLimits
}

/** The whole server as one function from request to answer. It neither listens nor starts anything. */
export function createApp(services: Services, options: AppOptions = {}): Hono<HttpEnvironment> {
  const { stopping = new AbortController().signal, rateLimits = usualRateLimits } = options
  const app = new Hono<HttpEnvironment>()
  const readOrigin = originReader(services.config.trustedProxies)
  const headersFor = securityHeaders(services.config)
  const secondsToWait = rateLimiter(rateLimits)

  app.onError((error, context) => answerError(error, context.var.requestId, services.log))

  app.use('*', async (context, next) => {
    const began = performance.now()
    const { address, isHttps } = readOrigin(context.env?.connection ?? null, context.req.raw.headers)
    const request: RequestContext = { request_id: randomUUID(), address, caller: null }
    context.set('requestId', request.request_id)
    context.set('address', address)
    context.set('isHttps', isHttps)
    context.set('route', 'other')
    await withinRequest(request, async () => {
      await next()
      const code = context.error instanceof Refusal ? ` ${context.error.code}` : ''
      if (context.res.status === 403) await noteRefusal(services, `${context.req.method} ${context.var.route}${code}`)
    })
    finish(context, headersFor(isHttps))
    const call = { method: context.req.method, route: context.var.route, status: context.res.status }
    const ms = performance.now() - began
    services.metrics.answered({ ...call, seconds: ms / 1000 })
    const who = request.caller && { id_user: request.caller.id_user, device_id: tabletOf(request.caller) }
    services.log.info({ ...call, ms: Math.round(ms), request_id: request.request_id, ...who }, 'answered')
  })
  app.use('*', compress({ contentTypeFilter: /^(application\/(json|x-ndjson|manifest\+json)|text\/(?!event-stream)|image\/svg)/ }))

  const beforeCall: MiddlewareHandler = async (context, next) => {
    if (stopping.aborted) throw new Refusal('server-stopping', { retry_after_s: 2 })
    const wait = secondsToWait(context.var.address)
    if (wait > 0) throw new Refusal('request-too-frequent', { retry_after_s: wait })
    await next()
  }
  app.use('/api/*', beforeCall)
  app.use('/upload/*', beforeCall)
  for (const [path, methods] of callsByPath()) mountPath(app, path, methods, services, stopping)
  app.all('/api/*', () => {
    throw new Refusal('call-unknown')
  })
  app.all('/upload/*', () => {
    throw new Refusal('call-unknown')
  })
  app.all('/api', () => {
    throw new Refusal('call-unknown')
  })

  app.get(metricsPath, async (context) => {
    context.set('route', metricsPath)
    const asked = { services, connection: context.env?.connection ?? null, headers: context.req.raw.headers }
    return await answerMetrics(asked, () => sumTablets(services))
  })
  app.get(securityTextPath, (context) => {
    context.set('route', securityTextPath)
    const text = securityText(services.config, services.clock.now())
    if (text === null) return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' } })
  })
  if (services.config.distFolder !== null)
    app.use(
      '*',
      staticFiles(services.config.distFolder, (html) => pagePolicy(services.config, html)),
    )
  app.notFound((context) =>
    context.req.path.startsWith('/api') ? refusalAnswer(new Refusal('call-unknown')) : new Response('Not found', { status: 404 }),
  )
  return app
}

type MountedCall = { endpoint: Endpoint; handler: Handler<Endpoint> }

/**
 * Calls by path. Paths without parameters come first, so that `/count_sheets/items` never matches as a sheet's id.
 * Parameter names do not matter: `file/{id}` reads and `file/{id_file}` changes the same path.
 */
function callsByPath(): [string, Map<Method, MountedCall>][] {
  const byPath = new Map<string, Map<Method, MountedCall>>()
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name]
    const path = pathWithPlaces(endpoint.path)
    const methods = byPath.get(path) ?? new Map<Method, MountedCall>()
    // For one name the two tables belong together. Over all names the compiler sees only two unions.
    methods.set(endpoint.method, { endpoint, handler: handlers[name] as Handler<Endpoint> })
    byPath.set(path, methods)
  }
  const parameters = (path: string) => path.split(':').length - 1
  return [...byPath].sort(([a], [b]) => parameters(a) - parameters(b))
}

function mountPath(app: Hono<HttpEnvironment>, path: string, methods: Map<Method, MountedCall>, services: Services, stopping: AbortSignal) {
  const answers = new Map<string, (context: HttpContext) => Promise<Response>>()
  for (const [method, { endpoint, handler }] of methods) answers.set(method, answerCall(endpoint, handler, services, stopping))
  const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : [])].join(', ')

  const [first] = methods.values()
  app.all(path, async (context) => {
    const method = context.req.method === 'HEAD' ? 'GET' : context.req.method
    context.set('route', (methods.get(method as Method) ?? first)?.endpoint.path ?? path)
    const answer = answers.get(method)
    if (answer) return context.req.method === 'HEAD' ? await withoutBody(await answer(context)) : await answer(context)
    const refused = refusalAnswer(new Refusal('method-wrong'))
    refused.headers.set('allow', allowed)
    return refused
  })
}

/** Nobody reads the body of a HEAD answer. An uncanceled stream would stay open forever. */
async function withoutBody(answer: Response): Promise<Response> {
  await answer.body?.cancel()
  return new Response(null, answer)
}

function finish(context: HttpContext, headers: Record<string, string>): void {
  // A patient's file has its own, stricter policy. It replaces the policy of the pages.
  const ownPolicy = context.res.headers.get('content-security-policy')
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  if (ownPolicy !== null) context.header('Content-Security-Policy', ownPolicy)
  context.header('X-Request-Id', context.var.requestId)
  if (/^\/(api|upload)(\/|$)/.test(context.req.path) && !context.res.headers.has('cache-control'))
    context.header('Cache-Control', 'no-store')
}
