import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * The server's log, one JSON object a line. It reduces every `err` to its safe parts, because errors of the database
 * and of parsers quote rows, requests and names.
 */
export function createLog(level: string = 'info', destination?: DestinationStream): Logger {
  return pino({ base: null, level, serializers: { err: faultOf } }, destination)
}

/**
 * Returns the loggable parts of an error: its place and its kind. Messages of the database and of parsers can quote
 * rows and requests, so only those of plain programming errors are kept.
 */
function faultOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error }
  const code = 'code' in error ? error.code : undefined
  const constraint = 'constraint' in error ? error.constraint : undefined
  const isOurs = code === undefined && error.name !== 'ValiError' && error.name !== 'SyntaxError'
  return {
    kind: error.name,
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(isOurs && { message: error.message }),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
  }
}
