import type { ReadAhead } from '#src/sync/patients/read-ahead.ts'

// What runs before the page's modules shares nothing with them but the window.
declare global {
  var patientsReadAhead: ReadAhead | undefined
}

export function leaveReadAhead(ahead: ReadAhead): void {
  // Whoever takes it hears what became of it.
  for (const reading of [ahead.hot, ahead.patients]) reading.catch(() => undefined)
  globalThis.patientsReadAhead = ahead
}

/** Null where nothing was read before the page's modules. */
export function takeReadAhead(): ReadAhead | null {
  const left = globalThis.patientsReadAhead ?? null
  globalThis.patientsReadAhead = undefined
  return left
}
