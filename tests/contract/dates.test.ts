import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { commandBodies } from '#contract/sync/commands.ts'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { endpoints } from '#contract/core/endpoints.ts'

type Node = v.GenericSchema & {
  entries?: Record<string, Node>
  item?: Node
  items?: Node[]
  wrapped?: Node
  value?: Node
  options?: readonly unknown[]
  pipe?: readonly { kind: string }[]
}
type Place = { path: string; schema: Node }

/** Returns every shape inside a shape. */
function placesIn(schema: unknown, path: string): Place[] {
  const node = schema as Node
  const inner: [string, unknown][] = [
    ...Object.entries(node.entries ?? {}),
    ...(node.items ?? []).map((item, at): [string, unknown] => [String(at), item]),
    ...(node.options ?? []).filter(isSchema).map((option): [string, unknown] => ['', option]),
    ...(node.pipe ?? [])
      .slice(1)
      .filter(isSchema)
      .map((step): [string, unknown] => ['', step]),
  ]
  if (node.pipe && isSchema(node.pipe[0]) && node.pipe[0] !== node && !node.entries) inner.push(['', node.pipe[0]])
  for (const one of [node.item, node.wrapped, node.value]) if (isSchema(one)) inner.push(['', one])
  return [{ path, schema: node }, ...inner.flatMap(([name, one]) => placesIn(one, name === '' ? path : `${path}.${name}`))]
}

function isSchema(one: unknown): boolean {
  return typeof one === 'object' && one !== null && (one as { kind?: string }).kind === 'schema'
}

const takes = (schema: Node, text: string) => v.safeParse(schema, text).success
const isDay = ({ schema }: Place) => takes(schema, '2026-11-25') && !takes(schema, 'some words') && !takes(schema, '2026-13-41')
const isInstant = ({ schema }: Place) => takes(schema, '2026-11-25T14:05:00.000Z') && !takes(schema, 'some words')

const calls = Object.values(endpoints as Record<string, Endpoint>)
const asked: Place[] = [
  ...calls.flatMap(({ method, path, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) => (schema ? placesIn(schema, `${method} ${path} ${part}`) : [])),
  ),
  ...Object.entries(commandBodies).flatMap(([kind, body]) => placesIn(body, `command ${kind}`)),
]
const answered = calls.flatMap(({ method, path, response }) => placesIn(response, `${method} ${path}`))

/** A device's clock: a wrong one loses no work, because the server compares it with its own clock. */
const isClock = ({ path }: Place) => path.endsWith('captured.wall')
/** Insurance companies write the last possible date when a policy never ends. */
const mayHaveNoEnd = ({ path }: Place) => path.endsWith('.term_date')
const unique = (places: Place[]) => [...new Map(places.map((place) => [place.path, place])).keys()]

describe('days and instants from callers', () => {
  const days = asked.filter(isDay)
  const instants = asked.filter((place) => isInstant(place) && !isClock(place))

  test('exist in calls and commands, so that this file tests something', () => {
    expect(unique(days)).toEqual(expect.arrayContaining(['PUT /api/patient/rx body.rx.exam_date', 'command patient.create.patient.dob']))
    expect(unique(days).length).toBeGreaterThan(20)
    expect(unique(instants)).toEqual(
      expect.arrayContaining(['POST /api/timecard/corrections body.at', 'GET /api/inventory/all-filters query.not_seen_since']),
    )
    expect(asked.filter(isClock).length).toBeGreaterThan(0)
  })

  test('are refused beyond every life and every plan', () => {
    const extremes = ['0000-01-01', '0001-01-01', '1849-12-31', '2200-01-01', '9999-12-30', '9999-12-31']
    const taken = days.flatMap((place) =>
      extremes
        .filter((extreme) => takes(place.schema, extreme) && !(mayHaveNoEnd(place) && extreme === '9999-12-31'))
        .map((extreme) => `${place.path} ${extreme}`),
    )
    expect(taken).toEqual([])
    const extremeInstants = [
      '0000-01-01T00:00:00.000Z',
      '0001-01-01T00:00:00Z',
      '0001-01-01T00:00:00+14:00',
      '1849-12-31T23:59:59Z',
      '2200-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59-14:00',
    ]
    expect(
      instants.flatMap((place) =>
        extremeInstants.filter((extreme) => takes(place.schema, extreme)).map((extreme) => `${place.path} ${extreme}`),
      ),
    ).toEqual([])
  })

  test('are accepted at the limits', () => {
    for (const { schema, path } of days) {
      expect.soft(takes(schema, '1850-01-01'), path).toBe(true)
      expect.soft(takes(schema, '2199-12-31'), path).toBe(true)
    }
    for (const { schema, path } of instants) expect.soft(takes(schema, '2199-12-31T23:59:59.999Z'), path).toBe(true)
  })
})

test('answers may still hold days and instants of a former version', () => {
  const odd = answered.flatMap((place) => [
    ...(isDay(place) && !takes(place.schema, '2926-01-01') ? [place.path] : []),
    ...(isInstant(place) && !takes(place.schema, '0202-11-25T14:05:00.000Z') ? [place.path] : []),
  ])
  expect([...new Set(odd)]).toEqual([])
})
