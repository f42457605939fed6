import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { instant } from '#contract/core/primitives.ts'

export const operationsEndpoints = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the server can do its work; also the probe by which the app knows that it is online',
    access: 'public',
    response: v.object({
      ok: v.literal(true),
      service: v.literal('lorgnette'),
      version: v.string(),
      epoch: v.string(),
      server_time: instant,
      demo: v.boolean(),
    }),
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This table as an OpenAPI 3.1 document',
    access: 'public',
    response: v.unknown(),
  }),
} as const
