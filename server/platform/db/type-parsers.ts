import pg from 'pg'

const { builtins } = pg.types

/** How values become JavaScript on both engines: instants ISO with `Z`, days `YYYY-MM-DD`, int8 and numeric numbers. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeNumber],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (text) => text],
  [builtins.TIMESTAMPTZ, instantOf],
])

type TypeParsers = { getTypeParser: typeof pg.types.getTypeParser }

export const typeParsers: TypeParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

function safeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the number ${text} is too large`)
  return value
}

/** PostgreSQL's `2026-11-21 04:30:00.5+00` as `2026-11-21T04:30:00.500Z`. */
export function instantOf(text: string): string {
  const usual = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/.exec(text)
  if (usual) return `${usual[1]}T${usual[2]}.${(usual[3] ?? '').padEnd(3, '0')}Z`
  // Sessions in another time zone write `+05:30` or `-04`.
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString()
}
